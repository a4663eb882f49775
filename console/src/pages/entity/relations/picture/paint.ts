import { reputationColour } from '../../../../parts/entity/scores.ts'

/** Colours and fonts of a drawing. */
export type Paint = {
  ink: string
  dim: string
  back: string
  /** Of the line around a mark. */
  verdict: (reputation: number) => string
  mono: string
}

const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'

/** As the page is painted, light or dark. */
export const SCREEN: Paint = {
  ink: 'var(--mantine-color-text)',
  dim: 'var(--mantine-color-dimmed)',
  back: 'var(--mantine-color-body)',
  verdict: (reputation) => `var(--mantine-color-${reputationColour(reputation)}-filled)`,
  mono: 'var(--mantine-font-family-monospace)',
}

const COLOURS: Readonly<Record<string, string>> = {
  red: '#e03131',
  orange: '#e8590c',
  gray: '#868e96',
  teal: '#099268',
  green: '#2f9e44',
}

/** For files: light, and without anything that only the page knows. */
export const PICTURE: Paint = {
  ink: '#1a1b1e',
  dim: '#868e96',
  back: '#ffffff',
  verdict: (reputation) => COLOURS[reputationColour(reputation)] ?? COLOURS.gray!,
  mono: MONO,
}
