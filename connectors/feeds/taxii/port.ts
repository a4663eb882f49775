/** What a page of a TAXII 2.1 collection has. */
export type TaxiiPage = {
  /** Whatever stands where objects should. */
  objects: unknown[]
  /** There is more after it. */
  more: boolean
  /** Names the next page, where the server says so. */
  next: string | null
  /** When the first and the last of the objects were added, in UTC, with the digits of the server; null: it does not say. */
  first: string | null
  last: string | null
  /** Why `last` is null; null when it is not. */
  undated: string | null
  /** The clock of the server when it answered; null: it does not say. */
  servedAt: string | null
  bytes: number
}

/** Where a page begins: after a date added, and where the server said that the next one is. */
export type PagePlace = { addedAfter: string | null; next: string | null }

/** A collection of a TAXII 2.1 server, read page by page in the order in which objects were added. */
export interface TaxiiCollection {
  /** Its address, without credentials. */
  readonly name: string
  /** @throws TaxiiFault, and the reason of `signal` */
  page(place: PagePlace, signal: AbortSignal): Promise<TaxiiPage>
}

/** The server does not answer as a collection should; the message says what it does, and has no credentials in it. */
export class TaxiiFault extends Error {
  override name = 'TaxiiFault'
}

/** Everything was read but what the server gives no way to. What was read is kept, and so is the place behind it. */
export class TaxiiGap extends TaxiiFault {
  override name = 'TaxiiGap'
}
