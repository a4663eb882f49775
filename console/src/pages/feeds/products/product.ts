/** How a device or a server reads a feed. */
export type Product = {
  name: string
  /** Of the list. */
  format: string
  /** What to know before and after. */
  about: string
  blocks: (url: string) => Block[]
}

/** Text to put into one place, and nothing else. */
export type Block = { where: string; kind: 'shell' | 'crontab' | 'config'; text: string }
