"""Numbers in words: as other spellers of these languages write them, and no two numbers alike."""

import pytest

from cabinet.text.spelling import Speller, english, french, german, spanish

SPELLED = {
    german: {
        0: "NULL",
        1: "EIN",
        16: "SECHZEHN",
        17: "SIEBZEHN",
        21: "EINUNDZWANZIG",
        30: "DREISSIG",
        100: "EINHUNDERT",
        101: "EINHUNDERTEIN",
        1_000: "EINTAUSEND",
        12_345: "ZWÖLFTAUSEND DREIHUNDERTFÜNFUNDVIERZIG",
        777_777: "SIEBENHUNDERTSIEBENUNDSIEBZIG TAUSEND SIEBENHUNDERTSIEBENUNDSIEBZIG",
        1_000_000: "EINE MILLION",
        2_000_001: "ZWEI MILLIONEN EIN",
        1_000_000_000: "EINE MILLIARDE",
    },
    french: {
        0: "ZÉRO",
        21: "VINGT ET UN",
        70: "SOIXANTE-DIX",
        71: "SOIXANTE ET ONZE",
        77: "SOIXANTE-DIX-SEPT",
        80: "QUATRE-VINGTS",
        81: "QUATRE-VINGT-UN",
        91: "QUATRE-VINGT-ONZE",
        99: "QUATRE-VINGT-DIX-NEUF",
        100: "CENT",
        200: "DEUX CENTS",
        201: "DEUX CENT UN",
        1_000: "MILLE",
        80_000: "QUATRE-VINGT MILLE",
        200_000: "DEUX CENT MILLE",
        1_000_000: "UN MILLION",
        80_000_000: "QUATRE-VINGTS MILLIONS",
        3_000_000_000: "TROIS MILLIARDS",
    },
    spanish: {
        0: "CERO",
        16: "DIECISÉIS",
        21: "VEINTIÚN",
        31: "TREINTA Y UN",
        100: "CIEN",
        101: "CIENTO UN",
        500: "QUINIENTOS",
        1_000: "MIL",
        1_100: "MIL CIEN",
        21_000: "VEINTIÚN MIL",
        100_000: "CIEN MIL",
        1_000_000: "UN MILLÓN",
        2_500_000: "DOS MILLONES QUINIENTOS MIL",
        1_000_000_000: "MIL MILLONES",
        10**12: "UN BILLÓN",
    },
    english: {0: "ZERO", 15: "FIFTEEN", 40: "FORTY", 1_021: "ONE THOUSAND TWENTY-ONE"},
}
FEMININE = {
    french: {1: "UNE", 21: "VINGT ET UNE", 71: "SOIXANTE ET ONZE", 21_000: "VINGT ET UN MILLE"},
    spanish: {
        1: "UNA",
        11: "ONCE",
        21: "VEINTIUNA",
        101: "CIENTO UNA",
        200: "DOSCIENTAS",
        500: "QUINIENTAS",
        300_001: "TRESCIENTAS MIL UNA",
        200_000_000: "DOSCIENTOS MILLONES",
    },
}


def test_numbers_are_spelled_as_before_a_noun() -> None:
    for spell, known in SPELLED.items():
        assert {number: spell(number) for number in known} == known


def test_before_a_feminine_noun_some_change() -> None:
    for spell, known in FEMININE.items():
        assert {number: spell(number, feminine=True) for number in known} == known


@pytest.mark.parametrize("spell", [english, german, french, spanish])
def test_no_two_numbers_are_spelled_alike(spell: Speller) -> None:
    numbers = (*range(3_000), *range(3_000, 10**6, 997), *range(10**6, 10**9, 999_983))
    assert len({spell(number) for number in numbers}) == len(numbers)


@pytest.mark.parametrize("spell", [english, german, french, spanish])
def test_a_word_of_any_amount_up_to_a_million_fits_a_narrow_line(spell: Speller) -> None:
    assert max(len(word) for number in range(0, 10**6, 7) for word in spell(number).split()) <= 32
