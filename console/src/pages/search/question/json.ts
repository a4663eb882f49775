/** A JSON object whose members are not known. */
export type Json = { [name: string]: unknown }
