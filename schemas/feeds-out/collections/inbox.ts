/** The collection that takes objects of STIX (decisions 15.2). A random UUID; never changed. */
export const INBOX = 'b6d7f5b2-3f0c-4e56-9b0e-7a4b1d9c2a61'
export const INBOX_ALIAS = 'inbox'

export const isInbox = (id: string): boolean => id === INBOX_ALIAS || id.toLowerCase() === INBOX

/** Longest envelope that the inbox takes. */
export const MAX_ENVELOPE_BYTES = 10 * 1024 * 1024
