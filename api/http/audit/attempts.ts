/** Of which key a refusal is, where the credentials named one and were not right. */

const attempts = new WeakMap<Error, string>()

/** What `work` returns; an error that it throws is of the key pair `keyId`. */
export function attempting<T>(keyId: string | undefined, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (keyId !== undefined && error instanceof Error) attempts.set(error, keyId)
    throw error
  }
}

export const attemptedKey = (error: unknown): string | null =>
  error instanceof Error ? (attempts.get(error) ?? null) : null
