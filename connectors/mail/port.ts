/** Mails of the product: short, plain, to one reader each (ADR 276). */

export type Mail = {
  /** One plain address: no name, no list. */
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** Resolves once the next one in line has taken the mail. Throws InvalidMailError, or whatever failed. */
  send(mail: Mail): Promise<void>
  /**
   * The way of a mail without a mail: rejects when sending would, and takes about as long. For answers that must not tell
   * whether somebody was written to.
   */
  probe(): Promise<void>
}
