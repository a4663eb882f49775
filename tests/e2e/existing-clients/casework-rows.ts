/** Requests and answers of casework, for its tables. */

import { at, type Known } from './call.ts'

export const BASE = '/api/casework/v1'

/** `/cases/{caseId}/notes` with what is known. */
export const path =
  (form: string) =>
  (known: Known): string =>
    BASE + form.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(known[name] ?? name))

export const is =
  (wanted: Record<string, unknown>) =>
  (answer: unknown): boolean =>
    Object.entries(wanted).every(([name, value]) => at(answer, name) === value)

/** Whether a plain array begins with the record that is known under this name. */
export const beginsWith =
  (name: string) =>
  (answer: unknown, known: Known): boolean =>
    Array.isArray(answer) && at(answer, 0, 'id') === known[name]
