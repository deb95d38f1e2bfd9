/**
 * The name by which families know a model: lower case, without the host's prefix, variant, date and `latest`, versions with
 * dashes and after the line's name. Hosts prefix with paths (`anthropic/…`) or with places and makers (`us.anthropic.…-v1:0`).
 */
export function familyName(model: string): string {
  return model
    .toLowerCase()
    .slice(model.lastIndexOf('/') + 1)
    .replace(/[@:].*$/, '')
    .replace(/^(?:[a-z]+\.){1,2}(?=[a-z])/, '')
    .replace(/(\d)\.(?=\d)/g, '$1-')
    .replace(/(-20\d{6})-v\d+$/, '$1')
    .replace(/-(?:latest|20\d{6}|20\d\d-\d\d-\d\d)$/, '')
    .replace(/^claude-(\d(?:-\d)?)-(opus|sonnet|haiku)/, 'claude-$2-$1')
}
