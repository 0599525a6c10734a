// The token of a letter's link. It comes in the fragment and leaves the address at once, so that it is neither bookmarked nor
// photographed.

let token: string | undefined

export function takeLinkToken(): string {
  const found = new URLSearchParams(location.hash.slice(1)).get('token')
  if (found !== null) {
    token = found
    history.replaceState(history.state, '', location.pathname)
  }
  return token ?? ''
}
