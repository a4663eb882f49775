/** Whose casework it is: one analyst's inside of one customer. Both are UUIDs. */
export type Owner = { customerId: string; userId: string }

/** Alerts up to `readUntil` (unix milliseconds; null: none) are read, and those of `read`: sorted, distinct UUIDs. */
export type ReadState = { readUntil: number | null; read: string[] }
