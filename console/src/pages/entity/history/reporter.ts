const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-([0-9a-f]{12})$/

/** Who reported, in words: `you`, `feed bad-list`, `user …6ac0e002510b`: ids of users differ in their last part. @param who what it is, where it is no feed */
export function reporterName(userID: string | undefined, me: string | undefined, who = 'user'): string {
  if (userID === undefined) return ''
  if (userID === me) return 'you'
  const last = UUID.exec(userID)?.[1]
  return last === undefined ? userID.replace(':', ' ') : `${who} …${last}`
}
