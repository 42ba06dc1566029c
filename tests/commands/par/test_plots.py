"""Plots as SVG: well-formed, within their frame, as high as their figures."""

from xml.etree import ElementTree as ET

import pytest

from cabinet.commands.par.plots import HEIGHT, WIDTH, Bar, draw_bars, draw_funnel

SVG = "{http://www.w3.org/2000/svg}"
BARS = [Bar(name=str(v), value=v, word=f"{v:+}", gain=v) for v in (-2.0, 0.0, 1.0, 4.0)]
BANDS = {0.9: [(1_000, 0.9, 1.1), (100_000, 0.99, 1.01)], 0.99: [(1_000, 0.8, 1.2), (100_000, 0.98, 1.02)]}


def _read(svg: str) -> ET.Element:
    return ET.fromstring(svg)


@pytest.fixture(params=["bars", "funnel", "losses"])
def plot(request: pytest.FixtureRequest) -> ET.Element:
    if request.param == "funnel":
        return _read(draw_funnel("<Funnel> & more", 1.0, {**BANDS, 0.95: BANDS[0.9]}))
    return _read(draw_bars("<Bars> & more", BARS if request.param == "bars" else BARS[:1]))


def test_a_plot_is_one_element_with_a_title_and_nothing_from_elsewhere(plot: ET.Element):
    assert plot.tag == f"{SVG}svg"
    assert (plot.findtext(f"{SVG}title") or "").endswith("> & more")
    assert not any(name.endswith("href") for element in plot.iter() for name in element.attrib)


def test_nothing_leaves_the_frame(plot: ET.Element):
    for element in plot.iter():
        places = [(element.get(x), element.get(y)) for x, y in (("x", "y"), ("x1", "y1"), ("x2", "y2"))]
        places += [tuple(pair.split(",")) for pair in element.get("points", "").split()]
        for x, y in places:
            if x is not None and y is not None:
                assert 0 <= float(x) <= WIDTH
                assert 0 <= float(y) <= HEIGHT


def test_bars_are_as_high_as_their_figures_and_coloured_by_what_they_mean():
    rects = _read(draw_bars("t", BARS)).findall(f"{SVG}rect")
    heights = [float(rect.get("height", "0")) for rect in rects]

    assert heights[0] == pytest.approx(2 * heights[2], abs=0.2)
    assert heights[3] == pytest.approx(4 * heights[2], abs=0.3)
    assert heights[1] == 0
    loss, push, *gains = [rect.get("fill") for rect in rects]
    assert len({loss, push, *gains}) == 3, "a push is neither gain nor loss"
    assert gains[0] == gains[1]


def test_the_surest_band_lies_behind_the_others():
    polygons = _read(draw_funnel("t", 1.0, {**BANDS, 0.95: BANDS[0.9]})).findall(f"{SVG}polygon")
    assert [polygon.findtext(f"{SVG}title") for polygon in polygons] == ["99 %", "95 %", "90 %"]
    first = [float(pair.split(",")[1]) for pair in polygons[0].get("points", "").split()]
    last = [float(pair.split(",")[1]) for pair in polygons[-1].get("points", "").split()]
    assert min(first) < min(last) < max(last) < max(first)
