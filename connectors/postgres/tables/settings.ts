/** The table of the store of settings. */
export type SettingTables = {
  /** What the administration sets for the whole platform. `value`: JSON. */
  settings: { name: string; value: unknown }
}
