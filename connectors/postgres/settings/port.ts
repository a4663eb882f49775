/** What the administration sets for the whole platform. */

export interface Settings {
  /** Tier of a new customer; null: nothing was set. */
  defaultTier(): Promise<string | null>
  setDefaultTier(tier: string): Promise<void>
}
