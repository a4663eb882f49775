/** Bodies that are not JSON of a declared shape. */

/** Text in a media type that the caller asked for. */
export class MediaBody {
  readonly media: string
  readonly text: string

  constructor(media: string, text: string) {
    this.media = media
    this.text = text
  }
}

/** Bytes that were made for one answer: their memory is given back once it is over, and nobody reads them then. */
export class OwnBytes {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/**
 * A finished file: its bytes never change under its path, and whoever opened it may read it to its end. `path` null: the
 * caller has it already, and is told so with 304.
 */
export class FileBody {
  readonly path: string | null
  readonly media: string
  readonly bytes: number

  constructor(path: string | null, media: string, bytes: number) {
    this.path = path
    this.media = media
    this.bytes = bytes
  }
}
