import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** How a password is kept: salt and scrypt hash, both base64url. */
export type KeptPassword = { salt: string; hash: string }

const BYTES = 32

const hashOf = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, BYTES, (error, hash) => (error === null ? resolve(hash) : reject(error)))
  })

/** A new password: 192 bits, in characters that no URL and no shell minds. */
export const newPassword = (): string => randomBytes(24).toString('base64url')

export const keepPassword = async (password: string): Promise<KeptPassword> => {
  const salt = randomBytes(16)
  return { salt: salt.toString('base64url'), hash: (await hashOf(password, salt)).toString('base64url') }
}

export const isPassword = async (password: string, kept: KeptPassword): Promise<boolean> => {
  const hash = Buffer.from(kept.hash, 'base64url')
  const given = await hashOf(password, Buffer.from(kept.salt, 'base64url'))
  return hash.length === BYTES && timingSafeEqual(hash, given)
}
