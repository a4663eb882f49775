import outline from './outline.json' with { type: 'json' }

/**
 * A country on the map: its outline as an SVG path, and the middle and the width of its largest part. Land of a country
 * without a code has null.
 */
export type Shape = { code: string | null; path: string; x: number; y: number; width: number }

/** The countries that are large enough for a map of the whole world (`infra/world`). */
export const SHAPES: readonly Shape[] = outline
