/** Lists of feeds as files, ready to be sent: one finished generation of each feed and format (ADR 274). */

import type { FeedFacts, FeedFormat } from '../../schemas/feeds-out/formats/format.ts'

/** How the bytes of a file are packed, by its name in HTTP. */
export const CODINGS = ['identity', 'gzip', 'zstd'] as const
export type Coding = (typeof CODINGS)[number]

/** Which list a file says, and of what it was made: two that agree in all of this are the same bytes. */
export type GenerationOf = {
  epoch: number
  sequence: number
  items: number
  /** The name of the feed and the version of the program, which some formats follow. */
  made: string
}

export type Generation = GenerationOf & {
  feed: string
  format: string
  /** Items that the format does not carry. */
  skipped: number
  /** Unix milliseconds. */
  generatedAt: number
  /** Of its files. */
  name: string
}

export type CodedFile = {
  path: string
  /** Strong, in quotes: a digest of the bytes. */
  etag: string
  bytes: number
}

/** A list as it is read once: its rows as the history store sends them. */
export type ReadList = { facts: FeedFacts; items: number; rows: AsyncIterable<Uint8Array> }

/** The bytes of a list as they are made; returns how many items were left out. */
export type GenerationBytes = AsyncGenerator<Uint8Array, { skipped: number }>

export interface FeedFiles {
  /** The last generation that was stored, also before this process was started; null: none is left. */
  find(feed: string, format: string): Promise<Generation | null>
  /** Stores a generation whole, then makes it the last one. What fails before leaves the last one as it was. */
  store(feed: string, format: string, of: GenerationOf, bytes: GenerationBytes): Promise<Generation>
  /**
   * The same of a list in several formats, all from one reading; in their order. A long list is written by a thread of
   * its own. What the reading throws is thrown, and then every format is as it was.
   */
  storeList(
    feed: string,
    formats: readonly FeedFormat[],
    of: Omit<GenerationOf, 'items'>,
    list: ReadList,
  ): Promise<Generation[]>
  /** A file of a generation in a coding, packed when it is first asked for; null: the generation is gone. */
  file(generation: Generation, coding: Coding): Promise<CodedFile | null>
  /** As `file`, of what this process knows, without a look at the disk; null: it does not know. */
  known(generation: Generation, coding: Coding): Omit<CodedFile, 'path'> | null
  /** Ids of the feeds of which there are files, also of earlier processes; without those of which one is being written. */
  feeds(): Promise<string[]>
  /** Removes every file of a feed. */
  forget(feed: string): Promise<void>
}
