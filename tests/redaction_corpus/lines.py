"""Made-up secrets and clean texts of a single line.

No secret stands in this file: `{A36}` and the like are filled with seeded random characters when the test
runs, so the values are invalid and no scanner has anything to flag. A = letters and digits, h = hex digits,
U = capitals and digits, l = small letters and digits, B = base64 characters, d = digits, w = mixed password.
"""

from __future__ import annotations

import random
import re
import string

_ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "h": "0123456789abcdef",
    "U": string.ascii_uppercase + "234567",
    "l": string.ascii_lowercase + string.digits,
    "B": string.ascii_letters + string.digits + "+/",
    "d": string.digits,
    "w": string.ascii_letters + string.digits + "!#%^*_-",
}

# kind, the line around it (`{}` is the secret), the secret
SECRETS = """
github|export GITHUB_TOKEN={}|ghp_{A36}
github-app|remote: using {}|ghs_{A36}
github-fine|gh auth login with {} now|github_pat_{A22}_{A59}
gitlab|GITLAB: {}|glpat-{A20}
gitlab-runner|gitlab-runner register -r {}|GR1348941{A20}
bitbucket|app password {} created|ATBB{A32}
atlassian|jira token: {}|ATATT3xFfGF0{A60}
aws-id|aws_access_key_id = {}|AKIA{U16}
aws-secret|aws_secret_access_key = {}|{B40}
aws-session|AWS_SESSION_TOKEN={}|FwoGZXIvYXdz{B120}
google-api|https://maps.example.com/api?key={}&v=3|AIza{A35}
google-oauth|access_token: {}|ya29.{A60}
google-secret|"client_secret":"{}"|GOCSPX-{A28}
azure-storage|DefaultEndpointsProtocol=https;AccountName=x;AccountKey={};EndpointSuffix=core|{B86}==
azure-sas|https://x.blob.core.example/c?sv=2022-11-02&sig={}&se=2030|{A40}%3D
azure-ad|client secret value {}|{A3}8Q~{A34}
openai|OPENAI_API_KEY={}|sk-proj-{A48}
openai-old|using key {} for requests|sk-{A48}
anthropic|ANTHROPIC_API_KEY="{}"|sk-ant-api03-{A95}
huggingface|hf login --token {}|hf_{A34}
replicate|REPLICATE={}|r8_{A37}
groq|key: {}|gsk_{A52}
perplexity|{} is the pplx key|pplx-{A48}
nvidia|{}|nvapi-{A64}
slack-bot|SLACK={}|xoxb-{d12}-{d12}-{A24}
slack-webhook|curl -X POST https://hooks.slack.com/services/{}|T{U8}/B{U8}/{A24}
discord-webhook|https://discord.com/api/webhooks/{}|{d18}/{A68}
discord-bot|bot.run("{}")|M{A23}.{A6}.{A38}
telegram|bot token {}|{d10}:A{A34}
stripe|stripe.api_key = "{}"|sk_live_{A24}
stripe-webhook|endpoint secret {}|whsec_{A32}
square|{}|sq0csp-{A43}
shopify|X-Shopify-Access-Token: {}|shpat_{h32}
twilio|TWILIO_AUTH_TOKEN={}|{h32}
twilio-key|twilio api:key {}|SK{h32}
sendgrid|sendgrid {}|SG.{A22}.{A43}
mailgun|api {}|key-{h32}
mailchimp|mc = {}|{h32}-us14
npm|//registry.example.org/:_authToken={}|npm_{A36}
pypi|password = {}|pypi-AgEIcHlwaS5vcmc{A100}
rubygems|:rubygems_api_key: {}|rubygems_{h48}
dockerhub|docker login -u me -p {}|dckr_pat_{A27}
digitalocean|doctl auth init -t {}|dop_v1_{h64}
heroku|HEROKU_API_KEY={}|{h8}-{h4}-{h4}-{h4}-{h12}
fly|FLY_API_TOKEN={}|fo1_{A43}
vercel|vercel --token {}|{A24}
netlify|netlify {}|nfp_{A36}
supabase|SUPABASE {}|sbp_{h40}
planetscale|{}|pscale_tkn_{A43}
terraform|credentials app.terraform.example token = "{}"|{A14}.atlasv1.{A67}
vault|VAULT_TOKEN={}|hvs.{A90}
pulumi|pulumi login {}|pul-{h40}
doppler|doppler {}|dp.pt.{A43}
onepassword|OP_SERVICE_ACCOUNT_TOKEN={}|ops_eyJ{A100}
age|# key {}|AGE-SECRET-KEY-1{U58}
databricks|DATABRICKS {}|dapi{h32}
grafana|grafana {}|glsa_{A32}_{h8}
newrelic|NEW_RELIC {}|NRAK-{U27}
sentry-dsn|dsn https://{}@o1.ingest.example.io/42|{h32}
datadog|DD_API_KEY={}|{h32}
linear|linear {}|lin_api_{A40}
notion|notion {}|ntn_{A46}
figma|figma {}|figd_{A40}
airtable|airtable {}|pat{A14}.{h64}
hubspot|hubspot {}|pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}
dropbox|dropbox {}|sl.{A130}
mapbox|mapbox {}|sk.eyJ{A60}.{A22}
postman|postman {}|PMAK-{h24}-{h34}
circleci|circle {}|CCIPAT_{A22}_{h40}
sonar|sonar.login={}|squ_{h40}
openshift|oc login --token={}|sha256~{A43}
alibaba|ali {}|LTAI{A20}
tailscale|tailscale up --authkey {}|tskey-auth-{A12}-{A32}
jwt|session {}|eyJ{A30}.eyJ{A60}.{A43}
bcrypt|shadow {}|$2b$12${A53}
sha512crypt|root:{}:19000:0|$6${A16}${A86}
bearer|Authorization: Bearer {}|{A40}
bearer-curl|curl -H "Authorization: Bearer {}" https://api.example|{l32}
basic|Authorization: Basic {}|{B32}==
cookie|Cookie: {}|session={A32}; csrf={A16}
set-cookie|set-cookie: {}|sid=s%3A{A32}.{A43}
api-key-header|X-Api-Key: {}|{h40}
private-token|curl -H 'PRIVATE-TOKEN: {}' https://git.example|{A20}
url-password|git clone https://me:{}@git.example/x.git|{w14}
url-password-db|DATABASE_URL=postgres://app:{}@db:5432/app|{w12}
redis-url|redis://:{}@cache:6379/0|{A16}
mongo|mongodb+srv://admin:{}@c0.example/test|{A14}
amqp|amqp://guest:{}@mq/|{A12}
url-token|git remote add o https://{}@git.example/x|{A32}
query-token|GET /x?access_token={} HTTP/1.1|{A30}
user-option|curl -u admin:{} https://x.example|{w12}
password-option|mycli --password {} --host h|{w12}
password-option-eq|mycli --db-password={}|{w12}
token-option|deploy --token {} --prod|{A20}
api-key-option|tool --api-key {}|{h32}
mysql|mysql -u root -p{} app|{A12}
sshpass|sshpass -p {} ssh h|{A10}
redis-cli|redis-cli -h c -a {}|{A18}
netrc|machine git.example login me password {}|{A12}
env-password|DB_PASSWORD={}|{w16}
env-quoted|export SMTP_PASS="{}"|{A14}x7
env-secret|SECRET_KEY={}|{A50}
env-letters|REDIS_PASSWORD={}|correcthorsebattery
yaml-password|  password: {}|{w12}7
yaml-quoted|  db_password: "{}"|{w14}
json-password|{"user":"me","password":"{}"}|{w12}5
json-escaped|{\\"apiKey\\":\\"{}\\"}|{A24}
ini|passwd = {}|{w11}3
python|api_key = "{}"|{A28}
js|const clientSecret = '{}';|{A30}
props|spring.datasource.password={}|{A12}9
toml|auth_token = "{}"|{h24}
rails|secret_key_base: {}|{h128}
signing|signing_key => '{}'|{B44}
xml|<password>{}</password>|{w12}
sql|CREATE USER a IDENTIFIED BY '{}';|{w12}
pg|ALTER ROLE a WITH PASSWORD '{}'|{w12}
spoken|the password is {} for now|{A11}4
generic-base62|new value {} stored|{A40}
generic-base64|got {} back|{B44}=
odbc|Server=x;Uid=sa;Pwd={};|{A13}2
cert-pass|openssl rsa -passin pass:{} -in k|{A12}
encryption|ENCRYPTION_KEY={}|{h64}
bot|BOT_TOKEN: {}|{A32}
wif|wallet {}|K{A5}zzzzzzzzzz{A35}
"""

CLEAN = """
commit 6eb1f8d0c1a2b3d4e5f60718293a4b5c6d7e8f90
index 83db48f..bf269f4 100644
Author: A Person <person@example.com>
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
id: 123e4567-e89b-12d3-a456-426614174000
password = getpass("Password: ")
password = os.environ["DB_PASSWORD"]
token = request.headers.get("Authorization")
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer ${GITHUB_TOKEN}
export API_KEY=$(cat key.txt)
API_KEY=<your-api-key>
API_KEY=your_api_key_here
password: required
password: string
token: string;
  password: str
secret: true
Enter password:
Password for 'https://git.example':
[sudo] password for me:
The password must have at least 12 characters
invalid token: unexpected end of input
SyntaxError: Unexpected token } in JSON at position 41
max_tokens: 128000
max_tokens=4096
token_count = 1234567
"tokens": 18231
tokenizer: cl100k_base
used 12,345 tokens in 3.2 s
primary_key=True
foreign_key: orders.customer_id
cache_key = f"{user}:{page}"
public_key: ssh-ed25519
key_id: 12345678
secret_name: production-database
secretKeyRef:
  name: app-secrets
passwordless login is on
$ npm test
$ pytest -q tests/test_login.py
PASS src/components/LoginForm.test.tsx
test_password_reset_sends_mail PASSED
src/auth/tokenStorage.ts:14:7
import { createSecretManager } from "./secrets"
from django.contrib.auth import get_user_model
https://example.com/docs/getting-started/installation-guide-for-beginners
https://git.example/org/repo/blob/main/src/index.ts#L10-L20
/home/user/projects/my-application/src/components/Header.tsx
/usr/lib/python3.11/site-packages/setuptools/_vendor/importlib_metadata/__init__.py
node_modules/.pnpm/@babel+core@7.23.0/node_modules/@babel/core/lib/index.js
at Object.<anonymous> (/app/src/server.js:10:15)
2026-11-21T09:12:34.567Z INFO server listening on http://0.0.0.0:8080
10.0.0.1 - - [21/Nov/2026:09:12:34 +0000] "GET /index.html HTTP/1.1" 200 1043
Content-Type: application/json; charset=utf-8
Cookie policy updated
cookies: enabled
Set-Cookie header missing
curl -u "$USER:$PASS" https://x
curl -H "Authorization: Bearer $TOKEN" https://x
docker run -u 1000:1000 -p 8080:80 nginx
docker run -p 127.0.0.1:5432:5432 postgres
mysql -u root -p app
mkdir -p build/output
cp -p file other
git log --oneline -n 5
git diff --stat HEAD~3
+    const token = getToken();
-    password: user.password,
  return jwt.sign(payload, secretOrKey, options)
if (password !== confirmPassword) {
assert token == expected_token
self.token = token
token=token
connect(user=user, password=password)
login(username, password)
<input type="password" name="password">
placeholder="Enter your password"
label: "Password"
password_hash = bcrypt.hash(password)
session_start: 09:12:34
session = requests.Session()
auth: enabled
The secret: always test your backups
Secret scanning found nothing
bearer of good news
basic usage: copilot [OPTIONS]
Basic authentication is off
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
if "-----BEGIN PRIVATE KEY-----" in text:
ssh-ed25519 key added
Fingerprint: SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDELMlT8bOVmO1234w
abstractSingletonProxyFactoryBeanGenerator2Test
TestHTTPServerHandlesManyConcurrentRequests2
com.example.application.configuration.SecurityConfiguration
my_very_long_function_name_with_many_words_in_it_2
MAX_CONNECTIONS_PER_WORKER_PROCESS_2
react-dom@18.2.0_react@18.2.0
webpack-dev-server-middleware-4.15.1.tgz
Downloading tree_sitter_bash-0.25.1-cp310-abi3-manylinux_2_17_x86_64.whl (245 kB)
google_re2-1.1.20251105-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl
Collecting pydantic_core==2.50.4
added 231 packages, and audited 232 packages in 4s
Successfully installed click-8.5.1 rich-15.0.0
ModuleNotFoundError: No module named 'copilot.guard'
warning: unused variable: `token_stream`
error[E0382]: borrow of moved value: `secret`
  --> src/main.rs:12:20
test result: ok. 41 passed; 0 failed; 0 ignored
[09:12:34] Finished 'build' after 1.2 s
webpack 5.90.0 compiled successfully in 2345 ms
main.8f3a2b1c.chunk.js  45.2 kB
index-BWzPqQ1a.js  142.05 kB
0x7fff5fbff8c0
0xdeadbeef
#ff8800 #1e1e2e #cdd6f4
lat=52.520008, lon=13.404954
+49 30 1234567
1234567890123456
version = "1.2.3-beta.4+build.567"
v1.22.333-rc.1
$HOME/.config/app/settings.toml
~/.ssh/config
C:\\Users\\me\\AppData\\Local\\Temp
git@git.example:org/repo.git
ssh://git@git.example/org/repo.git
postgres://localhost:5432/app
postgres://app@db/app
redis://localhost:6379/0
https://user@git.example/x
https://$USER:$TOKEN@git.example/x
https://<user>:<password>@git.example/x
mailto:person@example.com
data:image/png;base64,iVBORw0KGgo=
font-family: "Helvetica Neue", Arial, sans-serif;
SELECT password FROM users WHERE id = 1
ALTER TABLE users ADD COLUMN password_hash text
grep -rn "password" src/
rg "api_key|secret" --files-with-matches
export PATH=/usr/local/bin:$PATH
PWD=/home/user/project
OLDPWD=/tmp
SSH_AUTH_SOCK=/tmp/ssh-XXXX/agent.1
TOKEN_FILE=/run/secrets/token
password_file: /run/secrets/db_password
tokenUrl: https://auth.example/oauth/token
token_type: bearer
expires_in: 3600
grant_type=client_credentials
response_type=code&scope=openid
?page=2&sort=created_at&order=desc
?key=value&other=thing
?code=404
Do you want to proceed?
❯ 1. Yes
  2. No, and tell Claude what to do differently (esc)
╭──────────────────────────────────────────────╮
│ > Try "edit app.py to add a login page"      │
╰──────────────────────────────────────────────╯
⏺ Bash(npm run build)
  ⎿  Error: Exit code 1
✻ Thinking… (12s · ↑ 1.2k tokens · esc to interrupt)
## Unreleased
- Fix the token refresh (#1234)
- [ ] rotate the secrets every 90 days
TODO: remove the hard-coded password
// the api key is read from the environment
# secret: see the vault
Merge pull request #482 from example/fix-token-refresh
Revert "Store the session token in the keychain"
drwxr-xr-x  5 user user 4096 Nov 21 09:12 secrets
-rw-------  1 user user  411 Nov 21 09:12 id_ed25519.pub
GOPATH=/home/user/go GOFLAGS=-mod=readonly go build ./...
go: downloading golang.org/x/crypto v0.31.0
github.com/example/project v0.0.0-20261121091234-6eb1f8d0c1a2
h1:abcdef is no checksum of go.sum
ok  	github.com/example/auth/token	0.412s	coverage: 81.2% of statements
--- PASS: TestPasswordIsHashed (0.03s)
=== RUN   TestTokenExpires/after_one_hour
Compiling secrecy v0.10.3 (/home/user/projects/app/crates/secrecy)
thread 'main' panicked at src/auth.rs:41:9: token must not be empty
  left: "expected-token"
npm ERR! code E401 Unable to authenticate, your authentication token seems to be invalid
npm warn deprecated har-validator@5.1.5: this library is no longer supported
pnpm: packages/auth-client 4.1.0 -> 4.2.0
yarn.lock:1042:  resolved "https://registry.example/lodash/-/lodash-4.17.21.tgz"
FAIL tests/password.test.ts > rejects a password without a digit
Expected: "password must contain a digit"
Tests: 1 failed, 41 passed, 42 total
Snapshot name: `LoginPage renders the password field 1`
ERROR tests/test_secrets.py::test_rotation - KeyError: 'API_KEY'
E   AssertionError: assert 'token' in {'access': 1, 'refresh': 2}
  File "/home/user/app/auth/passwords.py", line 88, in verify_password
raise ValueError("api_key is required")
os.environ.get("OPENAI_API_KEY")
process.env.STRIPE_SECRET_KEY
System.getenv("AWS_SECRET_ACCESS_KEY")
${{ secrets.GITHUB_TOKEN }}
password: ${{ secrets.DB_PASSWORD }}
      - name: Check that no secret is in the image
        run: gitleaks detect --no-banner --redact
ENV PASSWORD_MIN_LENGTH=12
ARG TOKEN_TTL=3600
PASSWORD_RESET_TIMEOUT = 259200
SESSION_COOKIE_SECURE = True
SECRET_KEY = config("SECRET_KEY")
secret = secrets.token_urlsafe(32)
token = secrets.token_hex()
const token = crypto.randomUUID();
let password = prompt("Choose a password");
var apiKey = Environment.GetEnvironmentVariable("API_KEY");
final token = await storage.read(key: 'token');
private String password;
public function setPassword(string $password): void
def test_wrong_password_is_refused(client):
@pytest.mark.parametrize("token", ["", None, "expired"])
type Token = { kind: "word"; text: string };
interface Credentials { user: string; password: string }
CREATE TABLE tokens (id INTEGER PRIMARY KEY, secret TEXT NOT NULL)
INSERT INTO settings (name, value) VALUES ('password_policy', 'strict')
UPDATE users SET password_changed_at = now()
kubectl get secret app-tls -o yaml
kubectl create secret generic app --from-file=token.txt
vault kv get secret/app/database
aws secretsmanager list-secrets --region eu-central-1
terraform plan -var-file=secrets.auto.tfvars
docker login registry.example.org
ssh-keygen -t ed25519 -C person@example.com
gpg: key 0123456789ABCDEF: "A Person <person@example.com>" not changed
openssl req -new -key server.key -out server.csr
curl -s https://api.example.com/v1/models | jq '.data[].id'
GET /oauth/authorize?response_type=code&client_id=web&scope=openid HTTP/1.1
HTTP/1.1 401 Unauthorized: WWW-Authenticate: Bearer realm="api"
location: /login?next=/account/password
etag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
x-request-id: 7f9c2ba4-e88f-4278-8d3a-5c5a9e1b7d20
traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
"sessionId": null, "token": null
{"password": null, "token": ""}
{"type":"password_reset_requested","user_id":4711}
"tokenCount": {"input": 1520, "output": 87}
"keyId": "primary", "algorithm": "RS256"
● Write(src/auth/token_store.py)
  ⎿  Updated src/auth/password.ts with 3 additions and 1 removal
Do you want to make this edit to secrets.example.env?
> Please never print a password or a token
• Ran rg -n "password|token" src
│ API key: from the environment                 │
Sign in with your API key or a login
Paste your API key here:
Use arrow keys to choose how to log in
Read 412 lines of docs/passwords-and-tokens.md
Bearer tokens are sent in the Authorization header
The key is the same for both, and the value differs
Key: Enter   Action: send
key=lambda pair: pair[1]
sorted(tokens, key=len, reverse=True)
tests/test_password.py::test_a_b PASSED
FAILED tests/test_token.py::TestRotation::test_rotation[2-days] - KeyError: 'API_KEY'
test auth::token::tests::expires_after_1_hour ... ok
use app::secret::Token2;
"""

_FIELD = re.compile(r"\{([AhUlBdw])(\d+)\}")


def fill(template: str, seed: str) -> str:
    """The template with its fields filled from a generator seeded by `seed`."""
    source = random.Random(seed)

    def field(match: re.Match[str]) -> str:
        alphabet, size = _ALPHABETS[match.group(1)], int(match.group(2))
        text = "".join(source.choice(alphabet) for _ in range(size - 1)) + source.choice(
            string.hexdigits[:10]
        )
        return text if match.group(1) != "U" else text[:-1] + source.choice("234567")

    return _FIELD.sub(field, template)


def secrets() -> list[tuple[str, str, str]]:
    """Kind, line and the secret in it, for every made-up secret."""
    found = []
    for row in SECRETS.strip().splitlines():
        kind, line, template = row.split("|", 2)
        secret = fill(template, kind)
        found.append((kind, line.replace("{}", secret), secret))
    return found


def clean_lines() -> list[str]:
    return CLEAN.strip("\n").splitlines()
