"""Stories: the dialogue and narration of The Battle for Wesnoth, a game of campaigns."""

from collections.abc import Iterator

from model_serving.training.datasets import catalogues
from model_serving.training.datasets.packages import DebianPackage
from model_serving.training.datasets.parallel import Pair, ParallelSource, named

VERSION = "1:1.16.9-1"
LICENCE = "GPL-2+"
PACKAGES = tuple(
    DebianPackage.of(f"wesnoth-1.16-{campaign}", VERSION, sha256, LICENCE)
    for campaign, sha256 in {
        "data": "1012b964bd412a6770685e3324ae3b61e176caff7846192d1ee63d55cd621e26",
        "did": "774619f5aaeb7eb4c848e1cc1758795a8c58e96bd270cceecc9d847dbcc769b3",
        "dm": "1997ad4d91e8de36415db2a3445904288f588a76d75111222d2aace409ace5c6",
        "dw": "47982e08b2a5d5fd79f400a5453f32c6d7dd56f2ccc10412a9e47dec8a9b3ca4",
        "ei": "687abe111ee662b7324336ddadc209758f68d2eeb1ccbf630238f27a0e3c6404",
        "httt": "05b16a3f8f8204278794aae14d8e6a7c95d2b2faef7337c4997c827a146d1bbd",
        "l": "5383c79046df6121929bc36a8ec3f970ab4cf9c1239ed9b31868201c27f4266d",
        "low": "2f304551b97b7fb76a2adb5ad8ffcac3e78476bc8ade17532c90714065c9bf9f",
        "nr": "13edcf1bdd23708f531ba81c67100c5800363a119f10155c7f9e146fe7dced34",
        "sof": "b6f1ddffdbd1a977f3965dae944e4fb11c147627471f1cfc71c92d1e69efb555",
        "sota": "fa44304ff53d259f3c5fe13c03cb8166e55e9c307807d1a5663048c396645ba6",
        "sotbe": "877a2f4a7fd8df54fd3b4561ffbd5fa95d0390d7c7372f3cb66367c8007918cb",
        "thot": "79d9ec6e43300ea9f41295ccf3fb451e8eeaefc17007123f65d77eb05cb88695",
        "trow": "b5009e964ac7157a46d50de911e4f56f5bb4389d60b82a513b5f382671d180d7",
        "tsg": "38b5f564253b8e0d9c093b2b7c58aabfef24f688968d9cbaf42abfc1e76d8288",
        "ttb": "d0d45693665305191488553ade8dc1d0aa26ab17d4bffae3bf6969db4a766329",
        "utbs": "81e05717bebbfb6348c0bed2cd6ce2560c4fd9205ed419c2e7bc039b4a70e228",
    }.items()
)


def load() -> Iterator[Pair]:
    """Every translated string; the group is the campaign, or the part of the game all campaigns share."""
    for package in PACKAGES:
        for path, content in package.files():
            if catalogues.is_chinese(path):
                for english, chinese in catalogues.read(content):
                    yield Pair(english.rpartition("^")[2], chinese, package.name.removeprefix("wesnoth-1.16-"))


SOURCE = ParallelSource(
    name="stories",
    packages=PACKAGES,
    read=load,
    part_of=named(dev={"thot", "ttb"}, test={"tsg", "dw"}),
    split="campaigns: The Hammer of Thursagan and A Tale of Two Brothers are dev, The South Guard and Dead Water test",
)
