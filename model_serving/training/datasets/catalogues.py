"""Interface strings: the gettext catalogues (.mo) that applications ship, English with its Chinese (zh_CN)."""

import io
from collections.abc import Iterator

from babel.messages.mofile import read_mo

from model_serving.training.datasets.packages import DebianPackage
from model_serving.training.datasets.parallel import Pair, ParallelSource, named

PACKAGES = (
    DebianPackage.of(
        "aptitude-common",
        "0.8.13-5",
        "3310ec70a514fbebd7082059d5cebf97e82485abfcb13c9ad21858e09abadc36",
        "GPL-2+",
    ),
    DebianPackage.of(
        "darktable",
        "4.2.1-4",
        "68f31b90862a6be7c53d3df52aa32747ca22aeb75396ea3e944bd9317327ca76",
        "GPL-3+",
        "amd64",
    ),
    DebianPackage.of(
        "digikam-data",
        "4:7.9.0-1",
        "a941a504ba7bdf9d276a43ca3c2a0b2b5b74a55420d8c4b4f29d681e96cbf450",
        "GPL-2+",
    ),
    DebianPackage.of(
        "evolution-common",
        "3.46.4-2+deb12u1",
        "52e3a67ba3f2815fa864f600f5e3c2afd6ebc0b3487b50525df75006d4172b46",
        "LGPL-2 or LGPL-3",
    ),
    DebianPackage.of(
        "filezilla-common",
        "3.63.0-1+deb12u3",
        "2788f0f962c3a3d8eda1e76f10339b29ca5dc42dceb4ee8ad66b0c9beb6a717a",
        "GPL-2+",
    ),
    DebianPackage.of(
        "gcc-12-locales",
        "12.2.0-14+deb12u1",
        "a701516b5e34086f478b0a329dfd9dd8e1695e8bac5917a6b162a87719abe28f",
        "GPL-3+",
    ),
    DebianPackage.of(
        "gimp-data",
        "2.10.34-1+deb12u10",
        "89007a69d4ef2b0440e5419e75d4112cfd1c49e97db38220d210b9f86322be7c",
        "GPL-3+",
    ),
    DebianPackage.of(
        "git",
        "1:2.39.5-0+deb12u3",
        "637a85ddd6247fab13bdd0592f2f39aff04ce4dbf0655d3ab553ac359a38ce6f",
        "GPL-2",
        "amd64",
    ),
    DebianPackage.of(
        "gnucash-common",
        "1:4.13-1",
        "8477b415856eb671125ee63ac6a4ee1d23efeca3de6e55e5a14c6ebb32642b31",
        "GPL-2+",
    ),
    DebianPackage.of(
        "gnumeric-common",
        "1.12.55-1",
        "b474f0a67a781bdb41374110b54fe679c690f981dac356a9ca6260688df9f6b8",
        "GPL-2 or GPL-3",
    ),
    DebianPackage.of(
        "gnupg-l10n",
        "2.2.40-1.1+deb12u2",
        "c985452d06cc7b3b1044cd1eb3f2acac773836d34cafb35b5a4bebae02c1caa0",
        "GPL-3+",
    ),
    DebianPackage.of(
        "gparted-common",
        "1.3.1-1",
        "448c2a1c439a2526123c661025fadc190b5a9c561d23d2e6c44264118fe184b7",
        "GPL-2+",
    ),
    DebianPackage.of(
        "gramps",
        "5.1.5-1",
        "77875e0983e97498e91a14b4fd4033998146a582c7932a993cf268929a9fda6b",
        "GPL-2+",
    ),
    DebianPackage.of(
        "hugin-data",
        "2022.0.0+dfsg-2",
        "0289091920be52eec91bf1ae6739a2dfe6c0075fc187daf3a39f765a8eab22e0",
        "GPL-2+",
    ),
    DebianPackage.of(
        "inkscape",
        "1.2.2-2+deb12u1",
        "838dc6b30685055a4ff963931c458e5ea3e3fb0459c43a890a85663339233032",
        "GPL-2+ and GPL-3+",
        "amd64",
    ),
    DebianPackage.of(
        "kate5-data",
        "4:22.12.3-1",
        "6da1d7621fc3539385f35351ba612b748a743458240b0db63bd54738015f473d",
        "LGPL-2.0-or-later",
    ),
    DebianPackage.of(
        "kdenlive-data",
        "22.12.3-2+deb12u2",
        "f4ab20ba8de7e7fb7857d671592a94495f51f4e86e64869f438ddba7428b4dad",
        "GPL-2+",
    ),
    DebianPackage.of(
        "krita-l10n",
        "1:5.1.5+dfsg-2+deb12u1",
        "ad2b1d244e1021b4f56637b9e9109d5d512c8b457d13945cfae8296e294da1ac",
        "GPL and LGPL",
    ),
    DebianPackage.of(
        "libreoffice-l10n-zh-cn",
        "4:7.4.7-1+deb12u14",
        "06b2800923811a11ddadc9e1e09ef8bda2a89ba118470403b2f6a897152e0809",
        "MPL-2.0",
    ),
    DebianPackage.of(
        "nautilus-data",
        "43.2-1",
        "2b0ba8ce95bbd9007ab4ff34070f67c2d41ca5c0b155bf8a12776f2ebb9b1481",
        "GPL-3+",
    ),
    DebianPackage.of(
        "pidgin-data",
        "2.14.12-1",
        "fe25279f89fdcc3b38874880f53bf205987e2048154cabc6fe529759e7d8df76",
        "GPL-2+",
    ),
    DebianPackage.of(
        "plasma-workspace-data",
        "4:5.27.5-2+deb12u2",
        "057cda470bd0baf616b3e873bcaf993018d96c8ad30b09535c487f88554e6ea2",
        "GPL-2.0-or-later",
    ),
    DebianPackage.of(
        "poedit-common",
        "3.2.2-1",
        "a4c839be792587deb7fbc813fee93dd10ddb762a05679a32e66c5df12d234e03",
        "MIT",
    ),
    DebianPackage.of(
        "vlc-l10n",
        "3.0.24-0+deb12u1",
        "11e65bcd6a1d4626b9e2d7388bb93c80edc46da82a6ca3b26d88f71edcb6f9b2",
        "GPL-2+",
    ),
)


def load() -> Iterator[Pair]:
    """Every translated string; the group is the package."""
    for package in PACKAGES:
        for path, content in package.files():
            if is_chinese(path):
                for english, chinese in read(content):
                    yield Pair(english, chinese, package.name)


def is_chinese(path: str) -> bool:
    """Whether a file is a catalogue in simplified Chinese."""
    return "zh_CN" in path and path.endswith(".mo")


def read(content: bytes) -> Iterator[tuple[str, str]]:
    """The strings of one compiled catalogue and their translations; of a plural the form for many."""
    for message in read_mo(io.BytesIO(content)):
        if message.id and message.string:
            english = message.id if isinstance(message.id, str) else message.id[-1]
            chinese = message.string if isinstance(message.string, str) else message.string[0]
            yield english, chinese


SOURCE = ParallelSource(
    name="interface",
    packages=PACKAGES,
    read=load,
    part_of=named(dev={"poedit-common", "hugin-data"}, test={"filezilla-common", "nautilus-data", "gparted-common"}),
    split="applications: Poedit and Hugin are dev, FileZilla, Nautilus and GParted test",
)
