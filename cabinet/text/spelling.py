"""Whole numbers in words before a noun, in the languages of a ticket. Pure.

Rules: capitals, as on a cheque; the long scale where the language has it; `feminine` only matters where the noun has a
gender. A number has one spelling, and two numbers never share one. Does not know money: see `amounts`.
"""

# ruff: noqa: SIM905 - a table of words reads best as a line of words

from typing import Protocol


class Speller(Protocol):
    """Spells a number of at least 0."""

    def __call__(self, number: int, *, feminine: bool = False) -> str:
        """Returns the number in words."""
        ...


_ENGLISH_SMALL = (
    "ZERO ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN ELEVEN TWELVE THIRTEEN FOURTEEN FIFTEEN SIXTEEN SEVENTEEN "
    "EIGHTEEN NINETEEN"
).split()
_ENGLISH_TENS = "- - TWENTY THIRTY FORTY FIFTY SIXTY SEVENTY EIGHTY NINETY".split()
_ENGLISH_GROUPS = ("", " THOUSAND", " MILLION", " BILLION", " TRILLION")

_GERMAN_SMALL = (
    "NULL EIN ZWEI DREI VIER FÜNF SECHS SIEBEN ACHT NEUN ZEHN ELF ZWÖLF DREIZEHN VIERZEHN FÜNFZEHN SECHZEHN SIEBZEHN "
    "ACHTZEHN NEUNZEHN"
).split()
_GERMAN_TENS = "- - ZWANZIG DREISSIG VIERZIG FÜNFZIG SECHZIG SIEBZIG ACHTZIG NEUNZIG".split()
_GERMAN_LARGE = (("MILLION", "MILLIONEN"), ("MILLIARDE", "MILLIARDEN"), ("BILLION", "BILLIONEN"))

_FRENCH_SMALL = (
    "ZÉRO UN DEUX TROIS QUATRE CINQ SIX SEPT HUIT NEUF DIX ONZE DOUZE TREIZE QUATORZE QUINZE SEIZE DIX-SEPT DIX-HUIT "
    "DIX-NEUF"
).split()
_FRENCH_TENS = "- - VINGT TRENTE QUARANTE CINQUANTE SOIXANTE SOIXANTE QUATRE-VINGT QUATRE-VINGT".split()
_FRENCH_LARGE = (("MILLION", "MILLIONS"), ("MILLIARD", "MILLIARDS"), ("BILLION", "BILLIONS"))

_SPANISH_SMALL = (
    "CERO UN DOS TRES CUATRO CINCO SEIS SIETE OCHO NUEVE DIEZ ONCE DOCE TRECE CATORCE QUINCE DIECISÉIS DIECISIETE "
    "DIECIOCHO DIECINUEVE VEINTE VEINTIÚN VEINTIDÓS VEINTITRÉS VEINTICUATRO VEINTICINCO VEINTISÉIS VEINTISIETE "
    "VEINTIOCHO VEINTINUEVE"
).split()
_SPANISH_TENS = "- - - TREINTA CUARENTA CINCUENTA SESENTA SETENTA OCHENTA NOVENTA".split()
_SPANISH_HUNDREDS = (
    "- CIENTO DOSCIENTOS TRESCIENTOS CUATROCIENTOS QUINIENTOS SEISCIENTOS SETECIENTOS OCHOCIENTOS NOVECIENTOS"
).split()
_SPANISH_LARGE = (("MILLÓN", "MILLONES"), ("BILLÓN", "BILLONES"))


def english(number: int, *, feminine: bool = False) -> str:
    """Spells `ONE HUNDRED THIRTY-FOUR`."""
    del feminine
    groups = [
        _english_group(group) + name
        for group, name in zip(_groups(number, 1_000), _ENGLISH_GROUPS, strict=False)
        if group
    ]
    return " ".join(reversed(groups)) or _ENGLISH_SMALL[0]


def german(number: int, *, feminine: bool = False) -> str:
    """Spells `EINHUNDERTVIERUNDDREISSIG`; from a thousand on in several words, so that lines can be broken."""
    del feminine
    units, thousands, *large = _groups(number, 1_000)
    words = [_large("EINE", names, german, group) for names, group in zip(_GERMAN_LARGE, large, strict=False)][::-1]
    if thousands:
        words.append(f"{_german_group(thousands)}{' ' if thousands >= 100 else ''}TAUSEND")
    if units:
        words.append(_german_group(units))
    return " ".join(filter(None, words)) or _GERMAN_SMALL[0]


def french(number: int, *, feminine: bool = False) -> str:
    """Spells `CENT TRENTE-QUATRE`; `feminine` before a livre."""
    units, thousands, *large = _groups(number, 1_000)
    words = [_large("UN", names, french, group) for names, group in zip(_FRENCH_LARGE, large, strict=False)][::-1]
    if thousands:
        words.append("MILLE" if thousands == 1 else f"{_french_group(thousands, plural=False)} MILLE")
    if units:
        words.append(_french_group(units, feminine=feminine))
    return " ".join(filter(None, words)) or _FRENCH_SMALL[0]


def spanish(number: int, *, feminine: bool = False) -> str:
    """Spells `CIENTO TREINTA Y CUATRO`; `feminine` before a libra."""
    rest, *large = _groups(number, 1_000_000)
    words = [_large("UN", names, spanish, group) for names, group in zip(_SPANISH_LARGE, large, strict=False)][::-1]
    thousands, units = divmod(rest, 1_000)
    if thousands:
        counted = "" if thousands == 1 else f"{_spanish_group(thousands, feminine_hundreds=feminine)} "
        words.append(f"{counted}MIL")
    if units:
        words.append(_spanish_group(units, feminine_hundreds=feminine, feminine=feminine))
    return " ".join(filter(None, words)) or _SPANISH_SMALL[0]


def _groups(number: int, size: int) -> list[int]:
    """Returns the number in groups, the smallest first; at least two."""
    groups: list[int] = []
    while number or len(groups) < 2:
        number, group = divmod(number, size)
        groups.append(group)
    return groups


def _large(one: str, names: tuple[str, str], spell: Speller, count: int) -> str:
    if not count:
        return ""
    return f"{one} {names[0]}" if count == 1 else f"{spell(count)} {names[1]}"


def _english_group(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    words = [f"{_ENGLISH_SMALL[hundreds]} HUNDRED"] if hundreds else []
    if rest:
        tens, ones = divmod(rest, 10)
        small = f"{_ENGLISH_TENS[tens]}-{_ENGLISH_SMALL[ones]}" if ones else _ENGLISH_TENS[tens]
        words.append(_ENGLISH_SMALL[rest] if rest < 20 else small)
    return " ".join(words)


def _german_group(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    words = f"{_GERMAN_SMALL[hundreds]}HUNDERT" if hundreds else ""
    if 0 < rest < 20:
        return words + _GERMAN_SMALL[rest]
    tens, ones = divmod(rest, 10)
    return words + (f"{_GERMAN_SMALL[ones]}UND" if ones else "") + (_GERMAN_TENS[tens] if tens else "")


def _french_group(number: int, *, feminine: bool = False, plural: bool = True) -> str:
    """Spells a group. `plural`: hundreds and eighty take their S when they come last; not before MILLE."""
    hundreds, rest = divmod(number, 100)
    words = []
    if hundreds:
        many = "S" if plural and hundreds > 1 and not rest else ""
        words.append("CENT" if hundreds == 1 else f"{_FRENCH_SMALL[hundreds]} CENT{many}")
    if rest:
        spelled = _french_tens(rest, plural=plural)
        words.append(f"{spelled}E" if feminine and spelled.endswith("UN") else spelled)
    return " ".join(words)


def _french_tens(number: int, *, plural: bool) -> str:
    if number < 20:
        return _FRENCH_SMALL[number]
    tens, ones = divmod(number, 10)
    ones += 10 if tens in {7, 9} else 0
    if not ones:
        return _FRENCH_TENS[tens] + ("S" if tens == 8 and plural else "")
    joint = " ET " if ones in {1, 11} and tens < 8 else "-"
    return f"{_FRENCH_TENS[tens]}{joint}{_FRENCH_SMALL[ones]}"


def _spanish_group(number: int, *, feminine_hundreds: bool = False, feminine: bool = False) -> str:
    if number == 100:
        return "CIEN"
    hundreds, rest = divmod(number, 100)
    words = [_SPANISH_HUNDREDS[hundreds]] if hundreds else []
    if hundreds > 1 and feminine_hundreds:
        words[0] = words[0].removesuffix("OS") + "AS"
    if rest:
        words.append(_spanish_tens(rest))
    spelled = " ".join(words)
    if feminine and rest % 10 == 1 and rest != 11:
        spelled = spelled.removesuffix("ÚN").removesuffix("UN") + "UNA"
    return spelled


def _spanish_tens(number: int) -> str:
    if number < 30:
        return _SPANISH_SMALL[number]
    tens, ones = divmod(number, 10)
    return f"{_SPANISH_TENS[tens]} Y {_SPANISH_SMALL[ones]}" if ones else _SPANISH_TENS[tens]
