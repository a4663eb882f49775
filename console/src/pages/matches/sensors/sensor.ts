import type { Block } from '../../../parts/copy/block.ts'

/** A program that sees or carries events, and how it sends them. */
export type Sensor = {
  name: string
  /** What to know before. */
  about: string
  /** @param url of the platform, without a path */
  blocks: (url: string) => Block[]
}
