import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model_serving.models.generators.pictures import GAP, from_png, png, sheet, to_pixels, to_signed


def test_values_are_clamped_before_they_are_bytes():
    drawn = torch.tensor([-float("inf"), -1.2, -1, 0, 1, 1.2, float("inf")])
    assert to_pixels(drawn).tolist() == [0, 0, 0, 128, 255, 255, 255]


def test_what_is_no_number_is_never_a_pixel():
    with pytest.raises(ArithmeticError):
        to_pixels(torch.tensor([0.0, float("nan")]))


def test_every_byte_comes_back_from_what_networks_read():
    pixels = torch.arange(256, dtype=torch.uint8).reshape(1, 16, 16)
    assert torch.equal(to_pixels(to_signed(pixels)).squeeze(1), pixels)


@given(st.integers(1, 40), st.integers(1, 40), st.booleans(), st.integers(0, 2**32))
def test_another_decoder_reads_the_same_pixels(decode_png, height, width, coloured, seed):
    shape = (height, width, 3) if coloured else (height, width)
    pixels = torch.randint(0, 256, shape, generator=torch.Generator().manual_seed(seed)).to(torch.uint8)
    content = png(pixels)
    assert decode_png(content) == pixels.reshape(height, -1).tolist()
    assert torch.equal(from_png(content), pixels)
    assert png(pixels.clone()) == content


@pytest.mark.parametrize(
    ("count", "columns", "rows_and_columns"),
    [(1, None, (1, 1)), (5, None, (2, 3)), (9, None, (3, 3)), (6, 2, (3, 2)), (3, 5, (1, 5))],
)
@pytest.mark.parametrize("colours", [(), (3,)])
def test_a_sheet_holds_each_picture_at_its_place_and_white_elsewhere(count, columns, rows_and_columns, colours):
    height, width = 3, 4
    pictures = [torch.full((height, width, *colours), place, dtype=torch.uint8) for place in range(count)]
    whole = sheet(pictures, columns)
    rows, wide = rows_and_columns
    assert whole.shape == (rows * (height + GAP) + GAP, wide * (width + GAP) + GAP, *colours)
    for place in range(count):
        top, left = GAP + place // wide * (height + GAP), GAP + place % wide * (width + GAP)
        assert torch.equal(whole[top : top + height, left : left + width], pictures[place])
        whole[top : top + height, left : left + width] = 255
    assert (whole == 255).all()
