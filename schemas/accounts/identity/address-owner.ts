type Addressed = { emails: readonly { address: string; verified: boolean }[] }

/**
 * Whom an address belongs to. One that nobody has verified belongs to nobody: whoever registers may state any address, and
 * must not be given what was meant for its owner.
 * @param address compared without case
 * @returns those who verified it, and all who entered it
 */
export function ownersOf<User extends Addressed>(
  users: readonly User[],
  address: string,
): { owners: User[]; entered: User[] } {
  const wanted = address.toLowerCase()
  const has = ({ emails }: User, verified: boolean) =>
    emails.some((one) => one.address.toLowerCase() === wanted && (one.verified || !verified))
  return { owners: users.filter((user) => has(user, true)), entered: users.filter((user) => has(user, false)) }
}
