import { expect, test } from "vitest";
import { type CardPosition, STEADY_MS, Steadiness } from "./steadiness.ts";

const HERE: CardPosition = { left: 10, top: 100, scrolled: 0, height: 2_000 };

/** A card that appeared at 0 and was seen at the second place at 1,000. */
function seenAt(place: Partial<CardPosition>): Steadiness {
  const card = new Steadiness();
  card.observe(HERE, 0);
  card.observe({ ...HERE, ...place }, 1_000);
  return card;
}

test("a card is steady half a second after it has appeared, and not before", () => {
  const card = new Steadiness();
  card.observe(HERE, 1_000);
  expect(card.isSteady(1_000)).toBe(false);
  expect(card.isSteady(1_000 + STEADY_MS - 1)).toBe(false);
  expect(card.isSteady(1_000 + STEADY_MS)).toBe(true);
});

test.each([
  ["content above pushes it", { top: 140, height: 2_040 }],
  ["it takes the place of another card", { top: 60 }],
  ["it moves sideways", { left: 60 }],
  ["the document becomes shorter and the browser scrolls", { top: 180, scrolled: -80, height: 1_920 }],
])("a card is not steady when %s", (_, place) => {
  expect(seenAt(place).isSteady(1_000)).toBe(false);
  expect(seenAt(place).isSteady(1_000 + STEADY_MS)).toBe(true);
});

test.each([
  ["nothing changes", {}],
  ["the user scrolls", { top: 20, scrolled: 80 }],
  ["content grows below it", { height: 4_000 }],
  ["the user scrolls while content grows below it", { top: 20, scrolled: 80, height: 4_000 }],
  ["the browser scrolls as far as content above pushes it", { scrolled: 40, height: 2_040 }],
])("a card stays steady when %s", (_, place) => {
  expect(seenAt(place).isSteady(1_000)).toBe(true);
});

test("a card whose buttons have changed is not steady", () => {
  const card = seenAt({});
  card.disturb(1_000);
  expect(card.isSteady(1_000)).toBe(false);
});
