import { useLocation, useSearch } from 'wouter'
import { signInFrom } from './own-path.ts'

/** The address of the sign-in page that leads back to what is shown now. */
export function useSignInLink(): string {
  const [path] = useLocation()
  return signInFrom(path, useSearch())
}
