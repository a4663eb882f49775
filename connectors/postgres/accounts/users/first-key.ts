/** The administrator's key pair of the embedded default (decisions 2.7): made once, kept in the data folder. */

import { readFile } from 'node:fs/promises'
import { type KeySecret, newKeySecret } from '../../../../schemas/accounts/credentials.ts'
import { writeOnce } from '../../../data-folder/write-once.ts'

/**
 * The pair in `path`, made when the file is missing; `created` tells which. The folder must exist. Only the owner of the
 * file reads it. Throws when the file holds anything else.
 */
export async function firstKey(path: string): Promise<KeySecret & { created: boolean }> {
  const made = newKeySecret()
  const created = await writeOnce(path, `${JSON.stringify(made, null, 2)}\n`)
  return { ...(created ? made : await readKey(path)), created }
}

async function readKey(path: string): Promise<KeySecret> {
  try {
    const { apiKey, apiSecret } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
    if (typeof apiKey === 'string' && typeof apiSecret === 'string' && apiKey !== '' && apiSecret !== '') {
      return { apiKey, apiSecret }
    }
  } catch (cause) {
    throw new Error(`${path} is not a valid key pair file; delete it to create a new key pair`, { cause })
  }
  throw new Error(`${path} contains no key pair; delete it to create a new key pair`)
}
