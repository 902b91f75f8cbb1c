/** Finds a query's words in a text, in order, without overlaps and ignoring case. */
export function wordPlaces(text: string, query: string): [number, number][] {
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return []; // the positions would not be those in the text
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  const found = words.flatMap((word) => placesOf(lower, word)).sort(([a], [b]) => a - b);
  const merged: [number, number][] = [];
  for (const [from, to] of found) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

function placesOf(text: string, word: string): [number, number][] {
  const places: [number, number][] = [];
  for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + word.length))
    places.push([from, from + word.length]);
  return places;
}
