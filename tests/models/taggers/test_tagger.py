import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_serving.models.errors import InputError
from model_serving.models.taggers import tagger
from model_serving.models.taggers.labelling import Labelling
from model_serving.models.taggers.schemes import Span, encode
from model_serving.models.taggers.tagger import BATCH_CHARACTERS, Tagger
from model_serving.models.taggers.text import LONGEST_SENTENCE, sentences

TASKS = ["seg", "pos", "ner"]


class ScriptedLabeller:
    """Labels each sentence by ``script``, from its characters to its spans, and keeps what it was asked."""

    def __init__(self, script, terms=(0.0, 0.0)):
        self.script = script
        self.terms = terms
        self.batches = []

    temperature = 1.0

    def label(self, sentences, how):
        self.batches.append(sentences)
        labels = [encode(self.script(sentence), len(sentence)) for sentence in sentences]
        opening, closing = self.terms
        if not how.confidence:
            return [Labelling(row) for row in labels]
        return [Labelling(row, [[opening]] * len(row), [[closing]] * len(row)) for row in labels]


def all_tasks(script, **options):
    return Tagger(dict.fromkeys(TASKS, ScriptedLabeller(script, **options)))


def whole(sentence):
    return [Span(0, len(sentence), "x")]


def single(sentence):
    return [Span(place, place + 1, "x") for place in range(len(sentence))]


def scripted(**spans):
    """Spans written as ``sentence="start-end-label ..."``."""
    parts = {sentence: [part.split("-") for part in line.split()] for sentence, line in spans.items()}
    return lambda sentence: [Span(int(start), int(end), label) for start, end, label in parts[sentence]]


def texts_of(tagging):
    items = tagging["entities"] if "entities" in tagging else tagging["tokens"]
    return [item["text"] for item in items]


def assert_in_place(text, tagging):
    items = tagging["entities"] if "entities" in tagging else tagging["tokens"]
    for item in items:
        assert text[item["start"] : item["end"]] == item["text"] != ""
    assert all(before["end"] <= after["start"] for before, after in pairwise(items))


def test_words_have_tags_for_pos_and_none_for_seg():
    served = all_tasks(scripted(小明读书="0-2-nr 2-3-v 3-4-n"))
    words = [("小明", 0, 2, "nr"), ("读", 2, 3, "v"), ("书", 3, 4, "n")]
    assert served.predict(["小明读书"], task="pos") == [
        {"tokens": [{"text": word, "start": start, "end": end, "tag": tag} for word, start, end, tag in words]}
    ]
    assert served.predict(["小明读书"], task="seg") == [
        {"tokens": [{"text": word, "start": start, "end": end} for word, start, end, _ in words]}
    ]


def test_names_have_labels_and_offsets_in_the_whole_text():
    served = all_tasks(scripted(**{"你好。": "", "小明在北京。": "0-2-PER 3-5-LOC"}))
    assert served.predict(["你好。\n 小明在北京。"], task="ner") == [
        {
            "entities": [
                {"text": "小明", "start": 5, "end": 7, "label": "PER"},
                {"text": "北京", "start": 8, "end": 10, "label": "LOC"},
            ]
        }
    ]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("script", [whole, single])
def test_odd_texts_keep_their_offsets(odd_text, task, script):
    (tagging,) = all_tasks(script).predict([odd_text], task=task)
    assert_in_place(odd_text, tagging)
    if task != "ner":
        assert "".join(texts_of(tagging)) == "".join(odd_text.split())


@given(st.text(st.sampled_from("京国a1 \n\t\u3000，。！”\u200d\u0301😀\u2028") | st.characters()))
def test_tokens_of_any_text_are_in_place_and_leave_out_white_space_only(text):
    for script in (whole, single):
        for task in TASKS:
            (tagging,) = all_tasks(script).predict([text], task=task)
            assert_in_place(text, tagging)
            if task != "ner":
                assert "".join(texts_of(tagging)) == "".join(text.split())


@given(st.text(st.sampled_from("京国a1 \t\u3000\u00a0\u2028，\u200d"), max_size=LONGEST_SENTENCE))
def test_tokens_never_cross_white_space(text):
    """One span over a whole sentence comes back as the pieces that ``str.split`` makes."""
    for task in ("seg", "pos"):
        assert texts_of(all_tasks(whole).predict([text], task=task)[0]) == text.split()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("New York", ["New York"]),
        ("New  \u3000York", ["New  \u3000York"]),
        ("Ｎｅｗ\u3000Ｙｏｒｋ", ["Ｎｅｗ\u3000Ｙｏｒｋ"]),
        ("IBM 公司", ["IBM 公司"]),
        ("北 京", ["北", "京"]),
        ("北\u3000京 大\u2028学", ["北", "京", "大", "学"]),
        ("北 京 ABC 大学 院", ["北", "京 ABC 大学", "院"]),
    ],
)
def test_names_cross_white_space_beside_latin_letters_only(text, names):
    (tagging,) = all_tasks(whole).predict([text], task="ner")
    assert texts_of(tagging) == names
    assert_in_place(text, tagging)


def test_full_width_text_is_labelled_as_half_width_and_answered_as_sent():
    served = all_tasks(scripted(No7="0-2-x 2-3-m"))
    assert texts_of(served.predict(["Ｎｏ７"], task="pos")[0]) == ["Ｎｏ", "７"]


def test_results_stand_in_the_order_of_the_texts_empty_ones_included():
    texts = ["", "Anna", " ", "Bob", "", "a。bc。def", "\n"]
    found = all_tasks(whole).predict(texts, task="seg")
    assert [texts_of(tagging) for tagging in found] == [[], ["Anna"], [], ["Bob"], [], ["a。", "bc。", "def"], []]


@pytest.mark.parametrize("texts", [[], [""], [" ", "\n"]])
def test_without_characters_no_labeller_is_asked(texts):
    served = Tagger({})
    assert served.predict(texts, task="pos") == [{"tokens": []} for _ in texts]
    assert served.predict(texts, task="ner") == [{"entities": []} for _ in texts]


@given(st.lists(st.integers(0, 3 * LONGEST_SENTENCE), max_size=60))
def test_batches_hold_each_sentence_once_and_stay_under_the_limit_with_padding(sizes):
    texts = ["京" * size for size in sizes]
    labeller = ScriptedLabeller(whole)
    found = Tagger({"seg": labeller}).predict(texts, task="seg")
    assert ["".join(texts_of(tagging)) for tagging in found] == texts
    for batch in labeller.batches:
        assert 0 < max(map(len, batch)) * len(batch) <= BATCH_CHARACTERS
    asked = sorted("".join(sentence) for batch in labeller.batches for sentence in batch)
    assert asked == sorted("".join(sentence.units) for text in texts for sentence in sentences(text))


@pytest.mark.parametrize("task", TASKS)
def test_a_long_document_is_tagged_sentence_by_sentence_with_its_own_offsets(task):
    text = "小明在北京,读书。今天 也好!\n" * 625
    assert len(text) == 10_000
    labeller = ScriptedLabeller(single)
    (tagging,) = Tagger({task: labeller}).predict([text], task=task)
    assert_in_place(text, tagging)
    assert "".join(texts_of(tagging)) == "".join(text.split())
    assert len(labeller.batches) > 1
    assert max(len(sentence) for batch in labeller.batches for sentence in batch) < 12


@given(st.text(st.sampled_from("京国A1,!?(a") | st.sampled_from("ｱ。"), max_size=40))
def test_full_width_and_half_width_forms_are_read_alike(text):
    wide = "".join(chr(ord(character) + 0xFEE0) if "!" <= character <= "~" else character for character in text)
    read = ([list(sentence.units) for sentence in sentences(form)] for form in (text, wide))
    assert next(read) == next(read)


def test_each_task_asks_its_own_labeller(tmp_path):
    loaded = []

    def load_labeller(folder):
        loaded.append(folder)
        return ScriptedLabeller(single if folder.name == "zh-pos" else whole)

    served = tagger.load(tmp_path, load_labeller, ("zh-pos", "zh-ner"))
    assert sorted(loaded) == [tmp_path / "zh-ner", tmp_path / "zh-pos"]
    for task, items in (("pos", ["北", "京"]), ("seg", ["北", "京"]), ("ner", ["北京"])):
        assert texts_of(served.predict(["北京"], task=task)[0]) == items


def bilingual(script):
    english = ScriptedLabeller(script)
    return Tagger(dict.fromkeys(TASKS, ScriptedLabeller(single)), dict.fromkeys(TASKS, english)), english


def test_variants_of_two_languages_are_told_apart_by_their_names(tmp_path):
    served = tagger.load(
        tmp_path, lambda folder: ScriptedLabeller(whole if folder.name == "en-pos" else single), ("zh-pos", "en-pos")
    )
    assert texts_of(served.predict(["New York"], task="seg")[0]) == ["New York"]
    assert texts_of(served.predict(["北京"], task="seg")[0]) == ["北", "京"]


def test_each_text_is_read_in_the_language_of_its_script_and_the_answer_names_it():
    served, english = bilingual(single)
    texts = ["北京", "Anna saw it.", "", "iPhone 是手机", "I like 北京 very much", "42"]
    found = served.predict(texts, task="pos")
    assert [tagging["language"] for tagging in found] == ["zh", "en", "zh", "zh", "en", "zh"]
    assert texts_of(found[1]) == ["Anna", "saw", "it", "."]
    assert sorted(map(list, english.batches[0])) == [["Anna", "saw", "it", "."], ["I", "like", "北京", "very", "much"]]


@pytest.mark.parametrize(
    ("language", "words"), [("zh", list("Anna北京")), ("en", ["Anna北京"]), (None, list("Anna北京"))]
)
def test_a_language_that_is_given_binds(language, words):
    served, _ = bilingual(single)
    (tagging,) = served.predict(["Anna北京"], task="pos", language=language)
    assert (tagging["language"], texts_of(tagging)) == (language or "zh", words)


def test_a_task_that_a_language_has_not_is_refused_where_asked_for_and_else_read_as_chinese():
    served = Tagger({"seg": ScriptedLabeller(single)}, {"ner": ScriptedLabeller(single)})
    (refused, _) = served.predict(["Anna", "Bob"], task="seg", language="en")
    assert isinstance(refused, InputError)
    assert str(refused) == "can not be read for seg in en, only in zh"
    (tagging,) = served.predict(["Anna"], task="seg")
    assert (tagging["language"], texts_of(tagging)) == ("zh", list("Anna"))


def test_a_task_that_chinese_has_not_is_refused_to_chinese_text_and_done_for_its_neighbours():
    served = Tagger({"seg": ScriptedLabeller(single)}, {"pos": ScriptedLabeller(single)})
    read, refused, last = served.predict(["Anna saw it.", "北京", "So."], task="pos")
    assert (texts_of(read), texts_of(last)) == (["Anna", "saw", "it", "."], ["So", "."])
    assert str(refused) == "can not be read for pos in zh, only in en"


def test_a_variant_for_words_alone_comes_before_that_of_parts_of_speech(tmp_path):
    for variants in (("zh-seg", "zh-pos"), ("zh-pos", "zh-seg")):
        served = tagger.load(
            tmp_path, lambda folder: ScriptedLabeller(whole if folder.name == "zh-seg" else single), variants
        )
        assert texts_of(served.predict(["北京"], task="seg")[0]) == ["北京"]
        assert texts_of(served.predict(["北京"], task="pos")[0]) == ["北", "京"]


def test_an_english_name_keeps_the_white_space_between_its_words():
    served, _ = bilingual(lambda sentence: [Span(1, 3, "LOC")] if len(sentence) > 2 else [])
    (tagging,) = served.predict(["In  New\n York today. So."], task="ner")
    assert texts_of(tagging) == ["New\n York"]
    assert_in_place("In  New\n York today. So.", tagging)


@given(st.text(st.sampled_from("aN' .,!?-&1\n’“é") | st.characters()))
def test_english_tokens_of_any_text_are_in_place_and_leave_out_white_space_only(text):
    served, _ = bilingual(single)
    for task in TASKS:
        (tagging,) = served.predict([text], task=task, language="en")
        assert_in_place(text, tagging)
        assert "".join(texts_of(tagging)) == "".join(text.split())


def test_confidence_comes_only_when_asked_as_a_probability_to_four_decimals():
    served = all_tasks(single, terms=(math.log(0.5), math.log(0.25)))
    for task in TASKS:
        (plain,), (rated,) = (served.predict(["京国"], task=task, confidence=asked) for asked in (False, True))
        assert all("confidence" not in item for items in plain.values() for item in items)
        assert [item["confidence"] for items in rated.values() for item in items] == [0.125, 0.125]


def test_confidence_reads_the_opening_of_the_first_and_the_closing_of_the_last_character():
    opening, closing = ([[math.log(p)] for p in term] for term in ((0.2, 0.3, 0.5, 0.7), (0.9, 0.8, 0.6, 1.0)))
    labelling = Labelling(["O"] * 4, opening, closing)
    assert labelling.confidence(Span(1, 3, "x")) == 0.18
    assert labelling.confidence(Span(2, 3, "x")) == 0.3


def test_rounding_errors_never_lift_a_confidence_above_one():
    assert Labelling(["S-x"], [[1e-3]], [[0.0]]).confidence(Span(0, 1, "x")) == 1.0


def test_cost_is_the_number_of_code_points():
    assert Tagger({}).cost("a😀京") == 3
