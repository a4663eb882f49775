import { useLocation, useSearch } from 'wouter'
import { signInFrom } from './own-path.ts'

/** The URL of the sign-in page that leads back to the present page. */
export function useSignInLink(): string {
  const [path] = useLocation()
  return signInFrom(path, useSearch())
}
