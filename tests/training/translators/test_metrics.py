import pytest

from model_serving.training.translators.metrics import bleu, chrf, signature


def test_bleu_of_a_worked_example():
    """Six words, one wrong: precisions 5/6, 3/5, 2/4 and 1/3."""
    expected = 100 * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25
    assert bleu(["the cat sat on a mat"], ["the cat sat on the mat"], "en") == pytest.approx(expected)


def test_chinese_is_counted_by_characters():
    expected = 100 * (5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25
    assert bleu(["打开文件吗？"], ["打开文件吧？"], "zh") == pytest.approx(
        100 * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25
    )
    assert bleu(["打开文件夹。"], ["打开文件夹？"], "zh") == pytest.approx(expected)
    assert bleu(["打开文件。"], ["打开文件。"], "zh") == pytest.approx(100)
    assert chrf(["打开文件。"], ["打开文件。"], "zh") == pytest.approx(100)
    assert chrf(["打开文件。"], ["关上窗户！"], "zh") == 0


def test_the_signature_says_how_text_was_cut():
    assert "tok:zh" in signature("zh")
    assert "tok:13a" in signature("en")
