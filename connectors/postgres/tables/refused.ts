/** Why PostgreSQL refuses a row: the codes (SQLSTATE) that are an answer and not a fault. */

export const UNIQUE_VIOLATION = '23505'
export const FOREIGN_KEY_VIOLATION = '23503'
