/** What the administration sets for the whole platform. */

export interface Settings {
  /** Tier of a new customer; null: nothing was set. */
  defaultTier(): Promise<string | null>
  setDefaultTier(tier: string): Promise<void>
  /** 32 random bytes that seal the cursors of this platform: the same for all of its processes, made when first asked for. */
  cursorSecret(): Promise<Buffer>
}
