import type { Block as CopiedText } from '../../../parts/copy/block.ts'

/** How a device or a server reads a feed. */
export type Product = {
  name: string
  /** Of the list. */
  format: string
  /** What to know before and after. */
  about: string
  blocks: (url: string) => Block[]
}

/** Text to put into one place; `kind`: what reads it. */
export type Block = CopiedText & { kind: 'shell' | 'crontab' | 'config' }
