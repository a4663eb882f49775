/** How operators read what stands in records as an id (ADR 244). */

/** What an id stands for, and how that is called now. */
export type Named = { kind: 'user' | 'customer' | 'key' | 'feed'; name: string }

export interface Names {
  /**
   * Users by mail address, customers, key pairs and published feeds by name; by id. What is gone, or is none of these, is
   * not in it. The ids are UUIDs; other texts are left out.
   */
  of(ids: readonly string[]): Promise<Map<string, Named>>
}
