import type { Type } from 'avsc'

/** The schema registry: which schema an id in front of a record stands for. Confluent's protocol is the common one. */
export interface Registry {
  /**
   * The id of `type` under `subject`, registering it when it is new. Rejects, saying why, when records written with the
   * latest schema of the subject could not be read with it (BACKWARD).
   */
  register(subject: string, type: Type): Promise<number>
  /**
   * The schema of an id, fetched once and then cached; undefined when the registry does not know the id, or the
   * schema is not Avro.
   */
  schema(id: number): Promise<Type | undefined>
  /** What `register` and `schema` have brought so far, without waiting: what a decoder asks. */
  known(id: number): Type | undefined
  /** Rejects with the reason when the registry cannot be reached. */
  ping(): Promise<void>
}
