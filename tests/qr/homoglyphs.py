"""Addresses that look like the typed one but contain a letter, digit or mark of another script."""

_LOOK_ALIKES = {
    "a": "\u0430\u03b1\u0251\uff41\U0001d41a\u00e0",
    "b": "\uff42\U0001d41b",
    "c": "\u0441\u03f2\u1d04\uff43",
    "d": "\u0501\uff44\U0001d41d",
    "e": "\u0435\u0454\uff45\u00e9",
    "h": "\u04bb\u0570",
    "i": "\u0456\u0131\u03b9\u00ec",
    "j": "\u0458",
    "k": "\u03ba\uff4b\U0001d424",
    "n": "\u0578\uff4e\U0001d427",
    "o": "\u043e\u03bf\u0585\uff4f\u0966",
    "p": "\u0440\u03c1",
    "s": "\u0455\ua731\uff53",
    "v": "\u03bd\u0475",
    "x": "\u0445\u03c7",
    "y": "\u0443\u04af",
    "1": "\uff11\U0001d7cf",
    "@": "\uff20\ufe6b",
}
_TYPED = "pay.jovihx1@cobankdesk"

HOMOGLYPH_PAIRS = [
    *(
        (_TYPED, _TYPED.replace(letter, forged, 1))
        for letter, look_alikes in _LOOK_ALIKES.items()
        for forged in look_alikes
    ),
    # Characters that are invisible or combine with the previous one.
    *((_TYPED, _TYPED[:5] + unseen + _TYPED[5:]) for unseen in "\u200b\u200c\u200d\u2060\ufeff\u00ad\u202e\u0301"),
    # All characters replaced at once, by their fullwidth forms.
    (_TYPED, "".join(chr(ord(letter) + 0xFEE0) for letter in _TYPED)),
]
