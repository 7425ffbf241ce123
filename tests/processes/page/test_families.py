"""Each family's panel: filled in, answered, and its picture checked against what the service answers."""

import base64
import json
import math
import re

import pytest

TEXT = "😀。江泽民在北京会见了克林顿。"


@pytest.fixture
def ask(service):
    """What the service answers to the body that the page says it sent."""

    def post(page, model):
        line = page.locator("pre.curl").text_content()
        body = json.loads(line.partition(" -d '")[2].removesuffix("'"))
        return body, service.post(f"/v1/{model}", json=body).json()["result"]

    return post


def fill(page, label, value):
    field = page.get_by_label(label, exact=True)
    field.fill(value)
    field.press("Tab")


@pytest.mark.parametrize("model", ["HMM", "BiLSTMCRF"])
def test_taggers_colour_the_text_and_list_the_entities_under_it(open_panel, run, ask, model):
    page = open_panel(model)
    fill(page, "text", TEXT)
    page.get_by_role("radio", name="ner").check()
    run(page)
    body, result = ask(page, model)
    assert body == {"text": TEXT, "task": "ner", "confidence": True}
    entities = result["entities"]
    assert {"北京", "克林顿"} <= {entity["text"] for entity in entities}
    marks = page.locator(".tagged mark").all()
    assert [mark.inner_text() for mark in marks] == [entity["text"] + entity["label"] for entity in entities]
    assert page.locator(".tagged").evaluate(
        "p => [...p.childNodes].map(node => node.firstChild?.data ?? node.data).join('')"
    ) == TEXT  # fmt: skip
    for mark, entity in zip(marks, entities, strict=True):
        assert mark.evaluate("mark => +mark.style.getPropertyValue('--shade')") == entity["confidence"]
    rows = [row.locator("td").all_inner_texts() for row in page.locator(".entities tbody tr").all()]
    assert [(row[0], row[1][:3], row[2]) for row in rows] == [
        (entity["text"], entity["label"], f"{entity['start']}–{entity['end']}") for entity in entities
    ]


def test_taggers_show_words_with_their_tags_and_what_those_mean(open_panel, run, ask):
    page = open_panel("HMM")
    page.get_by_label("A list").check()
    fill(page, "text", "我爱北京\n\n天气好")
    run(page)
    body, result = ask(page, "HMM")
    assert body["text"] == ["我爱北京", "", "天气好"]
    items = page.locator(".items > li").all()
    assert len(items) == 3
    for item, tagging in zip(items, result, strict=True):
        shown = [mark.inner_text().split() for mark in item.locator("mark").all()]
        assert shown == [[token["text"], token["tag"]] for token in tagging["tokens"]]
    assert "ns place" in " ".join(items[0].locator(".legend").inner_text().split())


def test_less_confidence_is_a_lighter_shade(open_panel):
    page = open_panel("HMM")
    alphas = page.evaluate(
        """async () => {
          const { draw } = await import("/static/families/taggers.js");
          const token = (text, start, confidence) => ({ text, start, end: start + 1, tag: "n", confidence });
          const tokens = [token("a", 0, 1), token("b", 1, 0.6), token("c", 2, 0.2)];
          document.querySelector(".picture").replaceChildren(...draw({ tokens }, { text: "abc" }));
          return [...document.querySelectorAll(".tagged mark")].map((mark) => {
            const [, alpha] = /\\/ ([\\d.]+)\\)/.exec(getComputedStyle(mark).backgroundColor) ?? [0, 1];
            return Number(alpha);
          });
        }"""
    )
    assert alphas[0] == 1
    assert alphas[0] > alphas[1] > alphas[2] > 0


def test_translators_show_alternatives_and_a_heat_map_of_attention(open_panel, run, ask):
    page = open_panel("Translator")
    fill(page, "text", "one two three")
    run(page)
    body, result = ask(page, "Translator")
    assert body == {"text": "one two three", "n_best": 3, "attention": True}
    assert page.locator(".translation").inner_text() == result["translation"] == "three译two译one译"
    bars = page.locator(".bars li").all()
    assert [bar.locator(".label").inner_text() for bar in bars] == [
        result["translation"],
        *(other["translation"] for other in result["alternatives"]),
    ]
    widths = [bar.locator(".bar").evaluate("bar => parseFloat(bar.style.getPropertyValue('--share'))") for bar in bars]
    assert widths == sorted(widths, reverse=True)
    assert page.locator(".heatmap thead th").all_inner_texts() == result["attention"]["source"]
    assert page.locator(".heatmap tbody th").all_inner_texts() == result["attention"]["target"]
    weights = page.locator(".heatmap tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('td')].map(td => +td.style.getPropertyValue('--weight')))"
    )
    assert weights == result["attention"]["weights"]
    titles = page.locator(".heatmap td[title]").evaluate_all("cells => cells.map((cell) => cell.title)")
    assert titles[2] == "three译 ← three: 80 %"


def test_translators_show_how_likely_each_part_of_a_reference_is(open_panel, run, ask):
    page = open_panel("Translator")
    fill(page, "text", "one two")
    page.locator("details.more summary").click()
    fill(page, "reference", "一 二")
    run(page)
    body, result = ask(page, "Translator")
    assert body["reference"] == "一 二"
    rows = page.locator(".reference li").all()
    assert [row.locator(".label").inner_text() for row in rows] == ["一", "二", "end of the sentence"]
    for row, token in zip(rows, result["reference"]["tokens"], strict=True):
        share = row.locator(".bar").evaluate("bar => parseFloat(bar.style.getPropertyValue('--share'))")
        assert share == pytest.approx(100 * math.exp(token["log_probability"]), abs=0.1)
    assert "-1.500" in page.locator(".reference h3").inner_text().replace("−", "-")


def test_word_vectors_rank_neighbours_and_lay_them_in_the_plane(open_panel, run, ask):
    page = open_panel("Vectors")
    fill(page, "words", "上海\n天津\n火星")
    fill(page, "top", "4")
    run(page)
    body, result = ask(page, "Vectors")
    assert body == {"action": "neighbors", "words": ["上海", "天津", "火星"], "top": 4}
    for column, item in zip(page.locator(".columns > section").all(), result, strict=True):
        assert item["word"] in column.locator("h3").inner_text()
        assert column.locator(".label").all_inner_texts() == [one["word"] for one in item["neighbors"]]
        shown = [float(value) for value in column.locator(".value").all_inner_texts()]
        assert shown == pytest.approx([one["score"] for one in item["neighbors"]], abs=6e-4)
    assert "unknown word" in page.locator(".columns").inner_text()
    page.locator(".scatter").wait_for()
    dots = set(page.locator(".scatter text").all_text_contents())
    assert dots == {"上海", "天津"} | {one["word"] for item in result for one in item["neighbors"]}
    assert set(page.locator(".scatter text.strong").all_text_contents()) == {"上海", "天津"}


def test_each_action_of_word_vectors_begins_with_the_words_of_the_one_before(open_panel, run, ask):
    page = open_panel("Vectors")
    page.get_by_role("radio", name="vectors").check()
    fill(page, "words", "上海\n天津\n北京")
    run(page)
    assert page.locator(".scatter text").all_text_contents() == ["上海", "天津", "北京"]
    page.get_by_role("radio", name="similarity").check()
    assert page.get_by_label("pairs", exact=True).input_value() == "上海 天津\n上海 北京"
    run(page)
    assert page.locator(".bars .value").all_inner_texts() == ["0.500", "0.500"]
    fill(page, "pairs", "上海、火星\n广州, 天津")
    run(page)
    assert ask(page, "Vectors")[0] == {"action": "similarity", "pairs": [["上海", "火星"], ["广州", "天津"]], "top": 6}
    assert page.locator(".columns h3").all_inner_texts() == ["上海 · 火星", "广州 · 天津"]
    assert page.locator(".columns .note").all_inner_texts() == ["unknown word: 火星"]
    page.get_by_role("radio", name="odd_one_out").check()
    run(page)
    assert ask(page, "Vectors")[0]["groups"] == ["上海", "火星", "广州", "天津"]
    assert page.get_by_text("odd one out: 天津").is_visible()


def test_graph_vectors_are_drawn_as_words_are(open_panel, run, ask):
    page = open_panel("GraphVectors")
    fill(page, "nodes", "上海\n天津\n广州")
    fill(page, "top", "3")
    run(page)
    body, result = ask(page, "GraphVectors")
    assert body == {"action": "neighbors", "nodes": ["上海", "天津", "广州"], "top": 3}
    for column, item in zip(page.locator(".columns > section").all(), result, strict=True):
        assert item["node"] in column.locator("h3").inner_text()
        assert column.locator(".label").all_inner_texts() == [one["node"] for one in item["neighbors"]]
    page.locator(".scatter").wait_for()
    dots = set(page.locator(".scatter text").all_text_contents())
    assert dots == {"上海", "天津", "广州"} | {one["node"] for item in result for one in item["neighbors"]}
    page.get_by_role("radio", name="links").check()
    run(page)
    assert ask(page, "GraphVectors")[0] == {"action": "links", "pairs": [["上海", "天津"], ["上海", "广州"]], "top": 3}
    assert page.locator(".columns h3").all_inner_texts() == ["上海 · 天津", "上海 · 广州"]


def test_the_plane_is_that_of_the_two_principal_components(open_panel):
    numpy = pytest.importorskip("numpy")
    rows = numpy.random.default_rng(3).normal(size=(30, 12)) * numpy.linspace(3, 0.5, 12)
    page = open_panel("Vectors")
    project = "async (rows) => (await import('/static/drawing/projection.js')).project(rows)"
    found = numpy.array(page.evaluate(project, rows.tolist()))
    centred = rows - rows.mean(axis=0)
    _, _, directions = numpy.linalg.svd(centred, full_matrices=False)
    expected = centred @ directions[:2].T
    assert numpy.abs(found) == pytest.approx(numpy.abs(expected), abs=1e-4)
    assert page.evaluate(project, [[1, 1], [1, 1]]) == [[0, 0], [0, 0]]


def test_labels_in_the_plane_cover_neither_each_other_nor_a_point(open_panel):
    page = open_panel("Vectors")
    overlaps = page.evaluate(
        """async () => {
          const { scatter } = await import("/static/drawing/scatter.js");
          const label = (place) => "词".repeat(1 + (place % 3)) + place;
          const points = [...Array(24).keys()].map((place) => ({
            label: label(place), at: [Math.cos(place * place), Math.sin(place * 3)], strong: place % 7 === 0 }));
          document.querySelector(".picture").replaceChildren(scatter(points));
          const all = [...document.querySelectorAll(".scatter text, .scatter circle")];
          const boxes = all.map((one) => one.getBoundingClientRect());
          const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 &&
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5;
          return all.flatMap((one, k) => all.slice(k + 1)
            .filter((other, l) => one.localName === "text" && meet(boxes[k], boxes[k + 1 + l]))
            .map((other) => `${one.textContent} ${other.textContent}`));
        }"""
    )
    assert overlaps == []


def test_generators_draw_a_grid_that_follows_the_sliders(open_panel, run, ask, service):
    page = open_panel("Generator")
    fill(page, "count", "5")
    page.get_by_label("seed slider", exact=True).fill("12")
    page.get_by_text("Seed 12").wait_for()
    body, result = ask(page, "Generator")
    assert body == {"count": 5, "seed": 12, "scores": True}
    assert page.locator(".tile figcaption").all_inner_texts() == [f"{score:.2f}" for score in result["scores"]]
    sources = page.locator(".tile img").evaluate_all("images => images.map((image) => image.src)")
    assert [source.partition(",")[2] for source in sources] == result["images"]
    assert page.locator(".tile img").evaluate_all("images => images.every((image) => image.naturalWidth === 28)")
    page.get_by_role("radio", name="array").check()
    page.locator(".tile canvas").first.wait_for()
    pixels = page.locator(".tile canvas").first.evaluate(
        "canvas => [...canvas.getContext('2d').getImageData(0, 0, 28, 28).data].filter((_, place) => place % 4 === 0)"
    )
    (rows, *_) = service.post("/v1/Generator", json=body | {"format": "array"}).json()["result"]["images"]
    assert pixels == [value for row in rows for value in row]
    assert base64.b64decode(result["images"][0]).startswith(b"\x89PNG")


def test_generators_walk_from_one_seed_to_another(open_panel, ask):
    page = open_panel("Generator")
    fill(page, "from_seed", "3")
    page.get_by_text("Seeds 3 → 4").wait_for()
    body, result = ask(page, "Generator")
    assert body == {"count": 4, "from_seed": 3, "to_seed": 4, "steps": 8, "scores": True}
    assert page.locator(".grid").count() == 4
    large = page.locator(".walk img")
    slider = page.get_by_label("Walk from one seed to the other")
    for step in (0, 7):
        slider.fill(str(step))
        shown = large.evaluate_all("images => images.map((image) => image.src.split(',')[1])")
        assert shown == [result["images"][row * 8 + step] for row in range(4)]
    page.get_by_label("seed slider", exact=True).fill("9")
    page.get_by_text("Seed 9").wait_for()
    assert ask(page, "Generator")[0] == {"count": 4, "seed": 9, "scores": True}


def test_the_picture_of_the_document_draws(open_panel, root):
    document = (root / "docs" / "adding-a-model.md").read_text(encoding="utf-8")
    (module,) = re.findall(r"```js\n(.*?)```", document, re.DOTALL)
    page = open_panel("Patient")
    page.route("**/families/toys.js", lambda route: route.fulfill(body=module, content_type="text/javascript"))
    draw = """async ([result, body]) => {
      const { draw } = await import("/static/families/toys.js");
      return [draw(result, body)].flat().map((element) => element.textContent);
    }"""
    assert page.evaluate(draw, ["desserts", {"text": "stressed"}]) == ["stressed", "desserts"]
    assert page.evaluate(draw, [["ba", "dc"], {"text": ["ab", "cd"]}]) == ["abbacddc"]


def test_a_family_without_a_picture_is_shown_as_json(open_panel, run):
    page = open_panel("Patient")
    run(page)
    assert json.loads(page.locator(".picture pre").inner_text()) == {"echo": "hello"}
