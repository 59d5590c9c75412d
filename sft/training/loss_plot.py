"""A plot of the training and validation losses over the steps, as SVG."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH, HEIGHT, MARGIN = 720, 400, 56
CURVES = {
    "loss": ("training", "#4477aa"),
    "eval_loss": ("validation", "#ee6677"),
}


def loss_plot(history: Sequence[Mapping[str, Any]]) -> str:
    """Return the losses of a trainer's log over its steps as SVG; without losses, the axes are empty."""
    curves = {
        name: [(float(entry["step"]), float(entry[name])) for entry in history if name in entry and "step" in entry]
        for name in CURVES
    }
    points = [point for curve in curves.values() for point in curve] or [(0.0, 0.0)]
    right, top = max(x for x, _ in points) or 1.0, max(y for _, y in points) * 1.05 or 1.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="sans-serif" font-size="12">',
        "<title>Loss over the steps of training</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for part in range(5):
        x, y = _x(right * part / 4, right), _y(top * part / 4, top)
        parts += [
            f'<line x1="{MARGIN}" y1="{y:.1f}" x2="{WIDTH - MARGIN}" y2="{y:.1f}" stroke="#dddddd"/>',
            f'<text x="{MARGIN - 6}" y="{y + 4:.1f}" text-anchor="end">{top * part / 4:.3g}</text>',
            f'<text x="{x:.1f}" y="{HEIGHT - MARGIN + 18}" text-anchor="middle">{right * part / 4:.0f}</text>',
        ]
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">step</text>')
    drawn = [(name, curve) for name, curve in curves.items() if curve]
    for number, (name, curve) in enumerate(drawn):
        label, colour = CURVES[name]
        places = " ".join(f"{_x(x, right):.1f},{_y(y, top):.1f}" for x, y in curve)
        parts += [
            f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.5"/>',
            f'<text x="{WIDTH - MARGIN}" y="{MARGIN - 32 + 15 * number}" text-anchor="end" fill="{colour}">{escape(label)}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


def _x(value: float, most: float) -> float:
    return MARGIN + (WIDTH - 2 * MARGIN) * value / most


def _y(value: float, most: float) -> float:
    return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * value / most
