import { hash } from 'node:crypto'

/** The namespace of ids that this project gives to objects of exchange formats. A random UUID; never changed. */
export const OURS = 'f8406913-86a8-41dc-b173-82ee16dfa43c'

const NAMESPACE_BYTES = 16
/** Room for nearly every name; a longer one gets a buffer of its own. */
const ROOM = 4_096
/** Bytes of UTF-8 for a unit of UTF-16, at most. */
const MOST_BYTES = 3
/** The digit of the variant (RFC 9562 4.1) has two bits of the digest. */
const VARIANT = '89ab'

/** Names UUIDs of version 5 (RFC 9562 5.5) in a namespace: the same name gives the same id. */
export function uuids(namespace: string): (name: string) => string {
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex')
  const room = Buffer.alloc(ROOM)
  space.copy(room)
  const bytesOf = (name: string): Buffer =>
    name.length * MOST_BYTES > ROOM - NAMESPACE_BYTES
      ? Buffer.concat([space, Buffer.from(name)])
      : room.subarray(0, NAMESPACE_BYTES + room.write(name, NAMESPACE_BYTES))
  return (name) => {
    const hex = hash('sha1', bytesOf(name), 'hex')
    const variant = VARIANT[Number.parseInt(hex[16]!, 16) & 3]
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }
}
