/**
 * What a normaliser answers: the normal form, or why there is none. A value, not an exception: an import meets
 * thousands of unusable values a second, and a stack trace costs more than the check itself.
 */
export type Refusal = { readonly reason: string }

export type Normalised = string | Refusal

/** Text to normal form. Idempotent: the normal form of a normal form is itself. */
export type Normaliser = (raw: string) => Normalised

export const refuse = (reason: string): Refusal => Object.freeze({ reason })

export const isRefusal = (result: Normalised): result is Refusal => typeof result !== 'string'
