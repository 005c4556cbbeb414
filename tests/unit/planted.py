"""Secrets as they stand in recorded calls, and texts that only look like it."""

from __future__ import annotations

import base64
import json
import random
import string
import textwrap
from collections.abc import Callable
from typing import Literal, NamedTuple


class Planted(NamedTuple):
    """A text with a secret in it. The secret is given decoded; in a JSON text it may stand escaped."""

    name: str
    secret: str
    text: str
    field: Literal["arguments", "result", "context"]


# --- values, put together from pieces so that no line of this file is itself a token -----------------------------

_RNG = random.Random(20250611)

_LOWER = string.ascii_lowercase
_DIGITS = string.digits
_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_URLSAFE = _ALNUM + "-_"
_B64 = _ALNUM + "+/"
_BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"
_SYLLABLES = "bra kel mor tiv zan dol fer gup hix jun lep nor pax quo ras sul tam vek wyr yos".split()


def _pick(alphabet: str, length: int) -> str:
    return "".join(_RNG.choices(alphabet, k=length))


def _some(length: int) -> str:
    """Letters and digits, both for sure."""
    return _pick(_ALNUM, length - 2) + _pick(string.ascii_letters, 1) + _pick(_DIGITS, 1)


def _hex(length: int) -> str:
    return _pick(_HEX, length - 2) + _pick("abcdef", 1) + _pick(_DIGITS, 1)


def _bytes(length: int) -> bytes:
    return bytes(_RNG.randrange(256) for _ in range(length))


def _b64(length: int) -> str:
    """Base64 of so many random bytes."""
    return base64.b64encode(_bytes(length)).decode()


def _enc(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _enc_url(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _uuid() -> str:
    return f"{_hex(8)}-{_hex(4)}-4{_hex(3)}-a{_hex(3)}-{_hex(12)}"


def _human(tail: str = "") -> str:
    """A password a person would choose: Kelmor-Tivzan482."""
    words = _RNG.sample(_SYLLABLES, 4)
    return (words[0] + words[1]).capitalize() + "-" + (words[2] + words[3]).capitalize() + _pick(_DIGITS, 3) + tail


def _plain_word() -> str:
    """Lower case letters and digits, as in hunter2something."""
    return "".join(_RNG.sample(_SYLLABLES, 2)) + _pick(_DIGITS, 1) + "".join(_RNG.sample(_SYLLABLES, 2))


def _jwt(role: str = "authenticated") -> str:
    head = _enc_url(json.dumps({"alg": "HS256", "typ": "JWT"}, separators=(",", ":")))
    claims = {"sub": _hex(12), "role": role, "iat": 1718000000, "exp": 1749536000}
    return head + "." + _enc_url(json.dumps(claims, separators=(",", ":"))) + "." + _pick(_URLSAFE, 42) + "k"


def _body(size: int, width: int = 64) -> str:
    return "\n".join(textwrap.wrap(_b64(size), width))


_LABEL = "PRIVATE" + " KEY"
_BEGIN = f"-----BEGIN {_LABEL}-----"
_END = f"-----END {_LABEL}-----"


def _pem(kind: str, size: int) -> str:
    opening = "b3BlbnNzaC1rZXktdjEAAAAA" if kind == "OPENSSH" else "MIIE"
    body = opening + _body(size)[len(opening) :]
    return f"-----BEGIN {kind} {_LABEL}-----\n{body}\n-----END {kind} {_LABEL}-----"


def _pgp() -> str:
    label = "PGP PRIVATE" + " KEY BLOCK"
    return f"-----BEGIN {label}-----\n\n{_body(500)}\n={_pick(_B64, 4)}\n-----END {label}-----"


def _aws_id() -> str:
    return "AK" + "IA" + _pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)


def _aws_secret() -> str:
    return _pick(_B64, 38) + _pick(_ALNUM, 2)


def _ghp() -> str:
    return "gh" + "p_" + _some(36)


def _gho() -> str:
    return "gh" + "o_" + _some(36)


def _ghs() -> str:
    return "gh" + "s_" + _some(36)


def _ghpat() -> str:
    return "github" + "_pat_" + _some(22) + "_" + _some(59)


def _glpat() -> str:
    return "gl" + "pat-" + _pick(_URLSAFE, 18) + _some(2)


def _xoxb() -> str:
    return "xo" + "xb-" + _pick("123456789", 12) + "-" + _pick("123456789", 13) + "-" + _some(24)


def _xoxp() -> str:
    parts = [_pick("123456789", 12) for _ in range(3)]
    return "xo" + "xp-" + "-".join(parts) + "-" + _hex(32)


def _slack_path() -> str:
    upper = string.ascii_uppercase + _DIGITS
    return "T" + _pick(upper, 10) + "/B" + _pick(upper, 10) + "/" + _some(24)


def _stripe() -> str:
    return "sk" + "_live_" + _some(24)


def _whsec() -> str:
    return "wh" + "sec_" + _some(32)


def _openai() -> str:
    return "s" + "k-" + _some(20) + "T3Blbk" + "FJ" + _some(20)


def _openai_proj() -> str:
    return "s" + "k-pr" + "oj-" + _pick(_URLSAFE, 72) + "_T3Blbk" + "FJ" + _pick(_URLSAFE, 70) + _some(4)


def _anthropic() -> str:
    return "s" + "k-a" + "nt-api03-" + _pick(_URLSAFE, 90) + _some(3) + "AA"


def _openrouter() -> str:
    return "s" + "k-o" + "r-v1-" + _hex(64)


def _google() -> str:
    return "AI" + "za" + "Sy" + _pick(_URLSAFE, 31) + _some(2)


def _gocspx() -> str:
    return "GOC" + "SPX-" + _pick(_URLSAFE, 26) + _some(2)


def _npm() -> str:
    return "np" + "m_" + _some(36)


def _pypi() -> str:
    return "py" + "pi-" + "AgEI" + "cHlwaS5vcmc" + _pick(_URLSAFE, 140) + _some(4)


def _sendgrid() -> str:
    return "S" + "G." + _pick(_URLSAFE, 20) + _some(2) + "." + _pick(_URLSAFE, 41) + _some(2)


def _twilio_key() -> str:
    return "S" + "K" + _hex(32)


def _telegram() -> str:
    return "6" + _pick("123456789", 9) + ":" + "AA" + _pick(_URLSAFE, 31) + _some(2)


def _discord() -> str:
    snowflake = "1" + _pick(_DIGITS, 17)
    return _enc_url(snowflake) + "." + "G" + _some(5) + "." + _pick(_URLSAFE, 36) + _some(2)


def _azure_key() -> str:
    return _b64(64)


def _hf() -> str:
    return "h" + "f_" + _pick(string.ascii_letters, 34)


def _databricks() -> str:
    return "da" + "pi" + _hex(32)


def _digitalocean() -> str:
    return "do" + "p_v1_" + _hex(64)


def _mailgun() -> str:
    return "ke" + "y-" + _hex(32)


def _linear() -> str:
    return "lin" + "_api_" + _some(40)


def _notion() -> str:
    return "nt" + "n_" + _pick("123456789", 11) + _some(35)


def _notion_old() -> str:
    return "sec" + "ret_" + _some(43)


def _vault() -> str:
    return "hv" + "s." + "CAES" + "I" + _pick(_URLSAFE, 88) + _some(2)


def _age() -> str:
    return "AGE-SECRET" + "-KEY-1" + _pick(_BECH32, 58)


def _groq() -> str:
    return "gs" + "k_" + _some(52)


def _docker_pat() -> str:
    return "dck" + "r_pat_" + _pick(_URLSAFE, 25) + _some(2)


def _tailscale() -> str:
    return "ts" + "key-auth-" + "k" + _some(11) + "CNTRL-" + _some(32)


def _shopify() -> str:
    return "sh" + "pat_" + _hex(32)


def _grafana() -> str:
    return "gl" + "sa_" + _some(32) + "_" + _hex(8)


def _bcrypt() -> str:
    return "$2" + "y$" + "10$" + _pick(_ALNUM + "./", 53)


def _sha512crypt() -> str:
    return "$" + "6$" + _some(16) + "$" + _pick(_ALNUM + "./", 86)


def _apr1() -> str:
    return "$ap" + "r1$" + _some(8) + "$" + _pick(_ALNUM + "./", 22)


def _base32() -> str:
    return _pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32)


def _apikey() -> str:
    """A key of no known make."""
    return _some(32)


# --- the planted texts. @@ stands where the secret goes ----------------------------------------------------------

_planted: list[Planted] = []


def _cmd(name: str, secret: str, command: str) -> None:
    text = json.dumps({"command": command.replace("@@", secret)})
    _planted.append(Planted(name, secret, text, "arguments"))


def _file(name: str, secret: str, path: str, content: str) -> None:
    text = json.dumps({"path": path, "content": content.replace("@@", secret)})
    _planted.append(Planted(name, secret, text, "arguments"))


def _code(name: str, secret: str, code: str) -> None:
    text = json.dumps({"code": code.replace("@@", secret)})
    _planted.append(Planted(name, secret, text, "arguments"))


def _out(name: str, secret: str, output: str) -> None:
    text = json.dumps({"output": output.replace("@@", secret), "exit_code": 0, "error": None})
    _planted.append(Planted(name, secret, text, "result"))


def _text(name: str, secret: str, text: str) -> None:
    _planted.append(Planted(name, secret, text.replace("@@", secret), "result"))


def _said(name: str, secret: str, text: str) -> None:
    _planted.append(Planted(name, secret, text.replace("@@", secret), "context"))


# Amazon
_cmd("AWS key id in an export", _aws_id(), "export AWS_ACCESS_KEY_ID=@@ && aws s3 ls")
_cmd("AWS secret key in an export", _aws_secret(), "export AWS_SECRET_ACCESS_KEY=@@ AWS_REGION=eu-central-1")
_cmd("AWS secret key in aws configure", _aws_secret(), "aws configure set aws_secret_access_key @@ --profile prod")
_file(
    "AWS secret key in a credentials file",
    _aws_secret(),
    "~/.aws/credentials",
    "[default]\naws_secret_access_key = @@\n",
)
_file(
    "AWS key id in a credentials file",
    _aws_id(),
    "~/.aws/credentials",
    "[default]\naws_access_key_id = @@\nregion = eu-west-1\n",
)
_code("AWS secret key in boto3", _aws_secret(), "import boto3\ns3 = boto3.client('s3', aws_secret_access_key='@@')\n")
_out(
    "AWS session token in JSON",
    _b64(240),
    '{\n  "Credentials": {\n    "SessionToken": "@@",\n    "Expiration": "2025-06-11T12:00:00Z"\n  }\n}',
)
_said("AWS key id in plain words", _aws_id(), "The access key is @@, region eu-central-1. Please list the buckets.")

# GitHub, GitLab
_cmd(
    "GitHub classic token in a bearer header", _ghp(), "curl -sH 'Authorization: Bearer @@' https://api.github.com/user"
)
_cmd(
    "GitHub classic token in a token header",
    _ghp(),
    'curl -H "Authorization: token @@" https://api.github.com/repos/acme/site',
)
_cmd("GitHub classic token in a remote URL", _ghp(), "git remote set-url origin https://.github.com/acme/site.git")
_out(
    "GitHub classic token in git remote -v",
    _ghp(),
    "origin\thttps://x-access-token:.github.com/acme/site.git (fetch)\n"
    "origin\thttps://github.com/acme/site.git (push)\n",
)
_cmd("GitHub classic token piped to gh", _ghp(), "echo @@ | gh auth login --with-token")
_cmd("GitHub fine-grained token in an assignment", _ghpat(), "GITHUB_TOKEN=@@ gh pr list --limit 5")
_file("GitHub fine-grained token in a dotenv file", _ghpat(), ".env", "NODE_ENV=production\nGH_PAT=@@\nPORT=3000\n")
_text(
    "GitHub OAuth token in hosts.yml",
    _gho(),
    "github.com:\n    user: acme-bot\n    oauth_token: @@\n    git_protocol: https\n",
)
_out("GitHub OAuth token alone on a line", _gho(), "@@\n")
_text(
    "GitHub app token in a log line",
    _ghs(),
    "2025-06-11T08:02:11Z INFO cloning with installation token @@ into /work/site\n",
)
_said(
    "GitHub fine-grained token in plain words",
    _ghpat(),
    "Push the branch, here is a PAT that works for the next hour: @@",
)
_cmd(
    "GitLab token in a private-token header",
    _glpat(),
    'curl --header "PRIVATE-TOKEN: @@" https://gitlab.example.com/api/v4/projects',
)
_cmd("GitLab token in a clone URL", _glpat(), "git clone https://oauth2:.gitlab.com/acme/tools.git /tmp/tools")
_text("GitLab token in git-credentials", _glpat(), "https://deploy:.gitlab.example.com\n")

# Chat services
_cmd("Slack bot token in a flag", _xoxb(), "slack-cli send --token=@@ --channel '#ops' 'deploy done'")
_file("Slack bot token in YAML", _xoxb(), "config/slack.yml", "slack:\n  bot_token: @@\n  channel: ops\n")
_out("Slack user token in JSON", _xoxp(), '{"ok": true, "authed_user": {"id": "U024BE7LH", "access_token": "@@"}}')
_cmd(
    "Slack webhook URL in curl",
    _slack_path(),
    'curl -X POST -d \'{"text":"hi"}\' https://hooks.' + "slack.com/services/@@",
)
_file(
    "Slack webhook URL in a dotenv file",
    _slack_path(),
    ".env",
    "SLACK_WEBHOOK_URL=https://hooks." + "slack.com/services/@@\n",
)
_cmd("Telegram token in an API URL", _telegram(), "curl -s https://api.telegram.org/bot@@/getMe")
_said("Telegram token in plain words", _telegram(), "BotFather gave me this: @@ - set the gateway up with it please")
_file(
    "Telegram token in Python",
    _telegram(),
    "bot.py",
    'from telegram.ext import Application\n\napp = Application.builder().token("@@").build()\n',
)
_file("Discord token in JavaScript", _discord(), "index.js", "client.login('@@');\n")
_file("Discord token in a dotenv file", _discord(), ".env", "DISCORD_TOKEN=@@\nDISCORD_GUILD=118273645091827364\n")
_cmd(
    "Discord webhook URL in curl",
    _pick(_URLSAFE, 66) + _some(2),
    "curl -d content=hi https://discord.com/api/webhooks/1182736450918273645/@@",
)

# Model providers
_cmd("OpenAI key in an export", _openai(), "export OPENAI_API_KEY=@@; python run.py --max_tokens=4096")
_code("OpenAI key in a Python call", _openai(), 'from openai import OpenAI\n\nclient = OpenAI(api_key="@@")\n')
_out(
    "OpenAI project key in an environment dump",
    _openai_proj(),
    "HOME=/root\nLANG=C.UTF-8\nOPENAI_API_KEY=@@\nPATH=/usr/local/bin:/usr/bin:/bin\n",
)
_said("OpenAI project key in plain words", _openai_proj(), "ok, my new key is @@\n\ntry the request again")
_text(
    "OpenAI project key in an error message",
    _openai_proj(),
    "openai.AuthenticationError: Error code: 401 - Incorrect API key provided: @@.\n",
)
_cmd(
    "Anthropic key in an x-api-key header",
    _anthropic(),
    'curl https://api.anthropic.com/v1/messages -H "x-api-key: @@" -H "anthropic-version: 2023-06-01"',
)
_file(
    "Anthropic key in TOML", _anthropic(), "settings.toml", '[providers.anthropic]\napi_key = "@@"\nmodel = "claude"\n'
)
_file(
    "OpenRouter key in a dotenv file",
    _openrouter(),
    "/root/.hermes/.env",
    "# keys\nOPENROUTER_API_KEY=@@\nTERMINAL_ENV=local\n",
)
_out(
    "Groq key from grep with line numbers",
    _groq(),
    ".env:14:GROQ_API_KEY=@@\nREADME.md:52:Set GROQ_API_KEY before you start.\n",
)
_cmd("Hugging Face token in a flag", _hf(), "huggingface-cli login --token @@ --add-to-git-credential")
_code("Hugging Face token in Python", _hf(), "from huggingface_hub import login\nlogin('@@')\n")

# Google
_cmd(
    "Google API key in a query",
    _google(),
    "curl 'https://maps.googleapis.com/maps/api/geocode/json?address=Graz&key=@@'",
)
_file(
    "Google API key in a JavaScript object",
    _google(),
    "firebase.js",
    'export const config = {\n  apiKey: "@@",\n  projectId: "acme-site",\n};\n',
)
_text(
    "Google OAuth secret in client JSON",
    _gocspx(),
    '{"installed": {"client_id": "4711-abc.apps.googleusercontent.com", "client_secret": "@@"}}',
)
_said(
    "Google OAuth secret in plain words",
    _gocspx(),
    "The client secret is @@ and the redirect is http://localhost:8080/cb",
)
_pkcs8 = _body(1200).split("\n")
_file(
    "service account key in nested JSON",
    _pkcs8[7],
    "sa.json",
    json.dumps(
        {
            "type": "service_account",
            "project_id": "acme-site",
            "private_key": _BEGIN + "\n" + "\n".join(_pkcs8) + "\n" + _END + "\n",
            "client_email": "bot@acme-site.iam.gserviceaccount.com",
        },
        indent=2,
    ),
)
_out("Google access token from gcloud", "ya" + "29." + _pick(_URLSAFE, 180) + _some(4), "@@\n")

# Package registries
_cmd("npm token in npm config", _npm(), "npm config set //registry.npmjs.org/:_authToken @@")
_file(
    "npm token in npmrc",
    _npm(),
    ".npmrc",
    "registry=https://registry.npmjs.org/\n//registry.npmjs.org/:_authToken=@@\n",
)
_cmd("PyPI token in a twine flag", _pypi(), "twine upload -u __token__ -p @@ dist/*")
_file("PyPI token in pypirc", _pypi(), "~/.pypirc", "[pypi]\nusername = __token__\npassword = @@\n")
_cmd("Docker Hub token piped to docker login", _docker_pat(), "echo '@@' | docker login -u acme --password-stdin")
_cmd("password in docker login", _human(), "docker login registry.example.com -u ci -p @@")
_text(
    "auth in docker config",
    _enc("ci:" + _human()),
    '{\n\t"auths": {\n\t\t"registry.example.com": {\n\t\t\t"auth": "@@"\n\t\t}\n\t}\n}\n',
)

# Payments, mail, telephone, shops
_cmd("Stripe key as curl user", _stripe(), "curl https://api.stripe.com/v1/charges -u @@:")
_code("Stripe key in Python", _stripe(), "import stripe\n\nstripe.api_key = '@@'\nprint(stripe.Balance.retrieve())\n")
_file("Stripe webhook secret in a dotenv file", _whsec(), ".env.local", "STRIPE_WEBHOOK_SECRET=@@\n")
_cmd(
    "SendGrid key in a bearer header",
    _sendgrid(),
    "curl -X POST https://api.sendgrid.com/v3/mail/send -H 'Authorization: Bearer @@' -d @mail.json",
)
_file(
    "SendGrid key in Ruby",
    _sendgrid(),
    "config/mail.rb",
    "ActionMailer::Base.smtp_settings = { user_name: 'apikey', password: '@@' }\n",
)
_cmd(
    "Twilio auth token as curl password",
    _hex(32),
    "curl -u AC" + _hex(32) + ":@@ https://api.twilio.com/2010-04-01/Accounts.json",
)
_file("Twilio auth token in a dotenv file", _hex(32), ".env", "TWILIO_AUTH_TOKEN=@@\n")
_text("Twilio API key in a table", _twilio_key(), "SID                                 Name\n@@  gateway\n")
_cmd(
    "Mailgun key as curl user",
    _mailgun(),
    "curl -s --user 'api:@@' https://api.mailgun.net/v3/mg.example.com/messages -F to=a@example.com",
)
_out(
    "Shopify token in a header dump",
    _shopify(),
    "> GET /admin/api/2024-04/shop.json HTTP/2\n> Host: acme.myshopify.com\n> X-Shopify-Access-Token: @@\n",
)

# Clouds and tools
_file(
    "Azure storage key in a connection string",
    _azure_key(),
    "appsettings.json",
    '{"Storage": "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=@@;EndpointSuffix=core.windows.net"}',
)
_cmd("Azure storage key in a flag", _azure_key(), "az storage blob list --account-name acme --account-key '@@' -c logs")
_cmd(
    "Azure signature in a shared access URL",
    _pick(_ALNUM, 40) + "%2B" + _pick(_ALNUM, 2) + "%3D",
    "azcopy copy dump.sql 'https://acme.blob.core.windows.net/db/dump.sql?sv=2022-11-02&sp=rw&sig=@@'",
)
_out(
    "Databricks token in a config dump",
    _databricks(),
    "[DEFAULT]\nhost  = https://adb-4711.2.azuredatabricks.net\ntoken = @@\n",
)
_cmd(
    "Databricks token in a bearer header",
    _databricks(),
    "curl -H 'Authorization: Bearer @@' https://adb-4711.2.azuredatabricks.net/api/2.0/clusters/list",
)
_cmd("DigitalOcean token in doctl", _digitalocean(), "doctl auth init -t @@")
_file("DigitalOcean token in Terraform", _digitalocean(), "terraform.tfvars", 'region   = "fra1"\ndo_token = "@@"\n')
_cmd("Heroku key in an assignment", _uuid(), "HEROKU_API_KEY=@@ heroku apps:info -a acme-site")
_file("Heroku key in netrc", _uuid(), "~/.netrc", "machine api.heroku.com\n  login ops@example.com\n  password @@\n")
_cmd(
    "Linear key in a header",
    _linear(),
    'curl -H "Authorization: @@" -d \'{"query":"{viewer{id}}"}\' https://api.linear.app/graphql',
)
_said("Linear key in plain words", _linear(), "use @@ for linear")
_cmd(
    "Notion token in a bearer header",
    _notion(),
    "curl https://api.notion.com/v1/users/me -H 'Authorization: Bearer @@' -H 'Notion-Version: 2022-06-28'",
)
_code("old Notion token in Python", _notion_old(), 'from notion_client import Client\nnotion = Client(auth="@@")\n')
_cmd(
    "Vault token in an export",
    _vault(),
    "export VAULT_ADDR=https://vault.example.com VAULT_TOKEN=@@; vault kv list secret/",
)
_out(
    "Vault token in a login table",
    _vault(),
    "Key                  Value\n---                  -----\ntoken                @@\ntoken_duration       768h\n",
)
_cmd("Tailscale key in a flag", _tailscale(), "tailscale up --authkey @@ --hostname relay")
_text("Grafana token in JSON", _grafana(), '{"id": 3, "name": "ci", "key": "@@"}')
_cmd(
    "Datadog key in an assignment",
    _hex(32),
    'DD_API_KEY=@@ DD_SITE="datadoghq.eu" bash -c "$(curl -L https://install.datadoghq.com/agent.sh)"',
)
_cmd(
    "Cloudflare token in a header",
    _pick(_URLSAFE, 38) + _some(2),
    "curl -H 'Authorization: Bearer @@' https://api.cloudflare.com/client/v4/user/tokens/verify",
)

# JWT
_cmd("JWT in a bearer header", _jwt(), "curl -H 'Authorization: Bearer @@' https://api.example.com/v1/me")
_text("JWT in a JSON field", _jwt(), '{"access_token": "@@", "token_type": "bearer", "expires_in": 3600}')
_file(
    "JWT in a dotenv file",
    _jwt("service_role"),
    ".env",
    "SUPABASE_URL=https://acme.supabase.co\nSUPABASE_SERVICE_ROLE_KEY=@@\n",
)
_out("JWT alone on a line", _jwt(), "@@\n")
_said("JWT in plain words", _jwt(), "The browser sends this one: @@ - can you see why it is rejected?")

# Headers and cookies
_cmd(
    "basic auth header", _enc("admin:" + _human()), 'curl -H "Authorization: Basic @@" https://ci.example.com/api/json'
)
_code(
    "basic auth header in Python",
    _enc("svc:" + _human()),
    'import requests\nr = requests.get(URL, headers={"Authorization": "Basic @@"})\n',
)
_cmd("opaque bearer header", _apikey(), "curl -H 'authorization: bearer @@' https://api.example.com/v2/items")
_out(
    "opaque bearer header in verbose output",
    _apikey(),
    "* Connected to api.example.com\n> GET /v2/items HTTP/1.1\n> Authorization: Bearer @@\n> Accept: */*\n",
)
_cmd("opaque token header", _hex(40), "curl -H 'Authorization: Token @@' https://paperless.example.com/api/documents/")
_cmd("X-API-Key header", _apikey(), 'curl -H "X-API-Key: @@" https://api.example.com/status')
_code("X-API-Key header in Python", _hex(32), "headers = {'X-Api-Key': '@@', 'Accept': 'application/json'}\n")
_file(
    "X-Auth-Token header in an http file",
    _apikey(),
    "api.http",
    "GET https://api.example.com/items\nX-Auth-Token: @@\nAccept: application/json\n",
)
_cmd("session id in a cookie header", _hex(32), "curl -H 'Cookie: theme=dark; sessionid=@@' https://app.example.com/")
_cmd("session id in a cookie flag", _pick(_LOWER + _DIGITS, 26), 'curl -b "PHPSESSID=@@" https://shop.example.com/cart')
_out(
    "session id in a set-cookie header",
    _apikey(),
    "HTTP/2 200\r\ncontent-type: text/html\r\nset-cookie: session=@@; Path=/; HttpOnly; Secure\r\n",
)

# URLs with credentials
_cmd("password in an https URL", _plain_word(), "wget https://deploy:.files.example.com/release.tar.gz")
_cmd("escaped password in an ftp URL", "p%40" + _plain_word() + "%21", "lftp ftp://web:.ftp.example.com -e 'ls; bye'")
_cmd("password in a postgres URL", _plain_word(), 'psql "postgres://app:.db.example.com:5432/app" -c "select 1"')
_file(
    "password in a postgresql+asyncpg URL",
    _some(20),
    "alembic.ini",
    "[alembic]\nsqlalchemy.url = postgresql+asyncpg://app:.localhost/app\n",
)
_file("password in a mysql URL", _some(18), ".env", "DATABASE_URL=mysql://shop:.127.0.0.1:3306/shop?charset=utf8mb4\n")
_cmd("password in a redis URL", _some(24), "redis-cli -u redis://:.cache.example.com:6379/0 ping")
_file(
    "password in a mongodb+srv URL",
    _some(16),
    "db.js",
    'mongoose.connect("mongodb+srv://root:.cluster0.ab1cd.mongodb.net/app?retryWrites=true");\n',
)
_text(
    "password in an amqp URL in a log",
    _some(22),
    "[2025-06-11 08:00:01] INFO/MainProcess Connected to amqp://worker:.mq.example.com:5672//\n",
)
_said(
    "password in a URL in plain words",
    _plain_word(),
    "The staging page is https://preview:.staging.example.com/login",
)
_cmd("api_key in a query", _apikey(), "curl 'https://api.example.com/v1/search?q=rust&api_key=@@&page=2'")
_out("access_token in a query", _apikey(), "302 Found -> https://app.example.com/cb?access_token=@@&state=xyz\n")
_cmd("token in a query", _hex(40), 'curl "https://api.example.com/feed?token=@@"')
_file(
    "password in a JDBC URL",
    _some(14),
    "app.properties",
    "jdbc.url=jdbc:mysql://db/app?user=app&password=@@&useSSL=true\n",
)

# Private keys
_file("RSA private key in a file", _pem("RSA", 600), "/root/.ssh/id_rsa", "@@\n")
_out("RSA private key in output", _pem("RSA", 600), "$ cat server.key\n@@\n")
_cmd("EC private key in a here-document", _pem("EC", 118), "cat > key.pem <<'EOF'\n@@\nEOF\nchmod 600 key.pem")
_text("OPENSSH private key in text", _pem("OPENSSH", 290), "@@\n")
_said(
    "OPENSSH private key in plain words", _pem("OPENSSH", 290), "This is the deploy key:\n\n@@\n\nadd it to the agent"
)
_file(
    "plain private key in YAML",
    _body(600).split("\n")[4],
    "tls.yml",
    f"tls:\n  key: |\n    {_BEGIN}\n    {_pick(_B64, 64)}\n    @@\n    {_END}\n",
)
_last = _body(500).split("\n")[-1]
_out("last line of an OPENSSH private key", _last, _pem("OPENSSH", 240).replace("\n-----END", "\n@@\n-----END") + "\n")
_out("PGP private key in output", _pgp(), "@@\n")
_cut = _body(600).split("\n")
_out(
    "RSA private key cut off by head",
    _cut[3],
    "-----BEGIN " + "RSA PRIVATE" + " KEY-----\n" + "\n".join(_cut[:3]) + "\n@@\n",
)
_file("age key in a file", _age(), "key.txt", "# created: 2025-06-11T08:00:00Z\n@@\n")
_file(
    "WireGuard private key",
    _b64(32),
    "/etc/wireguard/wg0.conf",
    "[Interface]\nAddress = 10.0.0.2/24\nPrivateKey = @@\n",
)

# Files of settings
_file("DB_PASSWORD in a dotenv file", _human(), ".env", "DB_HOST=localhost\nDB_PASSWORD=@@\nDB_PORT=5432\n")
_file(
    "quoted SECRET_KEY in a dotenv file",
    "django-insecure-" + _pick(_LOWER + _DIGITS + "@#%^*(-_=+)", 48) + "k7",
    ".env",
    'DEBUG=0\nSECRET_KEY="@@"\n',
)
_file("exported API_TOKEN in a shell file", _apikey(), "env.sh", "export API_TOKEN=@@\nexport EDITOR=vim\n")
_text(
    "DB_PASSWORD in a file with line numbers",
    _human(),
    '{"content": "1|DB_HOST=localhost\\n2|DB_PASSWORD=@@\\n3|DB_NAME=app", "total_lines": 3}',
)
_file("password in YAML", _human(), "config.yml", "database:\n  user: app\n  password: @@\n  pool: 5\n")
_file("quoted password in YAML", _human("!"), "config.yml", 'smtp:\n  host: mail.example.com\n  password: "@@"\n')
_file(
    "password in a compose list",
    _human(),
    "compose.yml",
    "services:\n  db:\n    environment:\n      - POSTGRES_USER=app\n      - POSTGRES_PASSWORD=@@\n",
)
_file("ENV line in a Dockerfile", _apikey(), "Dockerfile", "FROM python:3.12-slim\nENV API_KEY=@@\nCMD python app.py\n")
_file("password in TOML", _human(), "config.toml", '[database]\nuser = "app"\npassword = "@@"\n')
_file("password in INI", _human(), "/root/.my.cnf", "[client]\nuser=root\npassword=@@\n")
_file(
    "password in Java properties",
    _human(),
    "application.properties",
    "spring.datasource.username=app\nspring.datasource.password=@@\n",
)
_file(
    "password in XML",
    _human(),
    "settings.xml",
    "<server><id>nexus</id><username>ci</username><password>@@</password></server>\n",
)
_text("password in a JSON field", _human(), '{"user": "app", "password": "@@", "ssl": true}')
_text("api_key in a JSON field", _apikey(), '{"name": "weather", "api_key": "@@"}')
_text(
    "client_secret in a JSON field",
    _pick(_URLSAFE, 38) + _some(2),
    '{"client_id": "acme", "client_secret": "@@", "grant_type": "client_credentials"}',
)
_out("refresh_token in a JSON field inside output", _apikey(), '{"refresh_token": "@@", "scope": "read"}\n')
_quoted = 'Kob"' + _plain_word()
_planted.append(
    Planted("password with a quote in JSON", _quoted, json.dumps({"login": "root", "password": _quoted}), "result")
)
_umlaut = "schl\u00fcssel" + _plain_word()
_planted.append(
    Planted("password with an umlaut in JSON", _umlaut, json.dumps({"login": "root", "password": _umlaut}), "result")
)
_file("PSK in wpa_supplicant", _human(), "/etc/wpa_supplicant.conf", 'network={\n  ssid="home"\n  psk="@@"\n}\n')
_file("define in PHP", _human("%"), "wp-config.php", "<?php\ndefine('DB_NAME', 'wp');\ndefine('DB_PASSWORD', '@@');\n")
_file(
    "become password in an Ansible inventory",
    _human(),
    "hosts.ini",
    "web1 ansible_host=10.0.0.5 ansible_user=ops ansible_become_pass=@@\n",
)
_file(
    "Password in an ADO connection string",
    _human(),
    "web.config",
    '<add name="db" connectionString="Server=db;Database=app;User Id=app;Password=@@;Encrypt=true" />\n',
)
_cmd("password in a libpq connection string", _plain_word(), "psql 'host=db user=app password=@@ dbname=app' -c '\\dt'")
_file("netrc on one line", _human(), "/root/.netrc", "machine git.example.com login bot password @@\n")
_file("pgpass line in a file", _human(), "~/.pgpass", "db.example.com:5432:app:app_user:@@\n")
_out("pgpass line in output", _some(20), "localhost:5432:*:postgres:@@\n")
_out("bcrypt hash in htpasswd", _bcrypt(), "alice:@@\n")
_out("apr1 hash in htpasswd", _apr1(), "bob:@@\n")
_out("hash in shadow", _sha512crypt(), "root:@@:19874:0:99999:7:::\ndaemon:*:19874:0:99999:7:::\n")
_file(
    "password in a Kubernetes secret",
    _enc(_human()),
    "secret.yml",
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db-creds\ntype: Opaque\ndata:\n  password: @@\n",
)
_out(
    "token in a Kubernetes secret as JSON",
    _enc(_some(40)),
    '{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "api"}, "data": {"API_TOKEN": "@@"}}\n',
)
_out(
    "client key data in kubeconfig", _enc(_pem("RSA", 300)), "users:\n- name: admin\n  user:\n    client-key-data: @@\n"
)

# Source code
_code("password in Python", _human(), 'user = "app"\npassword = "@@"\nconnect(user, password)\n')
_code(
    "password as a keyword argument",
    _human(),
    'conn = psycopg2.connect(host="db", user="app", password="@@", port=5432)\n',
)
_code("password in a Python dict", _human(), "cfg = {'user': 'app', 'password': '@@'}\n")
_code("password with a type annotation", _human(), 'DB_PASSWORD: str = "@@"\n')
_code("environment set in Python", _apikey(), 'import os\nos.environ["API_KEY"] = "@@"\n')
_code("default of getenv", _human(), 'pw = os.getenv("DB_PASSWORD", "@@")\n')
_code("password of a requests login", _human(), 'requests.get("https://ci.example.com", auth=("admin", "@@"))\n')
_file("token in JavaScript", _apikey(), "app.js", "const accessToken = '@@';\nfetch('/api/me');\n")
_file("secret in Go", _apikey(), "main.go", 'package main\n\nvar jwtSecret = []byte("@@")\n')
_patched = _human()
_patch = {"path": "app.py", "old_string": 'PASSWORD = ""', "new_string": f'PASSWORD = "{_patched}"'}
_planted.append(Planted("password in a patch", _patched, json.dumps(_patch), "arguments"))
_out("password in a diff", _human(), "--- a/.env\n+++ b/.env\n-DB_PASSWORD=\n+DB_PASSWORD=@@\n")

# Flags and commands
_cmd("password flag with a space", "hun" + "ter2" + "secret", "mytool login --user bob --password @@")
_cmd("password flag with an equals sign", _human(), "mongodump --host db --username app --password=@@ --out /backup")
_cmd("token flag with an equals sign", _apikey(), "sonar-scanner --token=@@ -Dsonar.projectKey=site")
_cmd("api-key flag in quotes", _apikey(), 'fetcher --api-key "@@" --limit 10')
_cmd("mysql -p", _plain_word(), "mysql -uroot -p@@ -e 'show databases'")
_cmd("mysqldump -p in quotes", _human("!"), "mysqldump -u app -p'@@' app > dump.sql")
_cmd("curl -u", _human(), "curl -u admin:@@ https://nexus.example.com/service/rest/v1/status")
_cmd("curl --user in quotes", _human("!"), "curl --user 'admin:@@' -T file.zip https://dav.example.com/")
_cmd("sshpass -p", _plain_word(), "sshpass -p @@ ssh -o StrictHostKeyChecking=no root@10.0.0.5 uptime")
_cmd("sshpass -p in quotes", _human("#"), "sshpass -p '@@' scp a.txt root@10.0.0.5:/tmp/")
_cmd("PGPASSWORD before psql", _plain_word(), "PGPASSWORD=@@ psql -h db -U app -c 'select now()'")
_cmd("PGPASSWORD in quotes", _human("!"), "PGPASSWORD='@@' pg_dump -h db -U app app > app.sql")
_cmd("redis-cli -a", _some(20), "redis-cli -h cache -a @@ info memory")
_cmd("docker run -e", _human(), "docker run -d -e POSTGRES_PASSWORD=@@ -p 5432:5432 postgres:16")
_cmd(
    "kubectl --from-literal",
    _human(),
    "kubectl create secret generic db-creds --from-literal=username=app --from-literal=password=@@",
)
_cmd(
    "helm --set",
    _human(),
    "helm upgrade --install pg bitnami/postgresql --set auth.postgresPassword=@@ --set replicas=1",
)
_cmd("openssl pass:", _human(), "openssl enc -aes-256-cbc -pbkdf2 -in a.txt -out a.enc -pass pass:@@")
_cmd("ssh-keygen -N", _human(), "ssh-keygen -t ed25519 -f deploy -N '@@'")
_cmd("chpasswd", _human(), "echo 'deploy:@@' | sudo chpasswd")
_cmd("sudo -S", _plain_word(), "echo '@@' | sudo -S systemctl restart nginx")
_cmd(
    "password in JSON posted by curl",
    _human(),
    "curl -X POST https://app.example.com/login -H 'Content-Type: application/json' "
    '-d \'{"email":"a@example.com","password":"@@"}\'',
)
_cmd(
    "password in a form posted by curl",
    _plain_word(),
    "curl -d 'username=admin&password=@@' https://app.example.com/login",
)
_cmd("SQL identified by", _human(), "mysql -e \"CREATE USER 'app'@'%' IDENTIFIED BY '@@';\"")
_cmd("SQL with password", _human(), "sudo -u postgres psql -c \"ALTER USER app WITH PASSWORD '@@';\"")
_cmd("password assigned and used again", _some(18), "DB_PASSWORD=@@; echo @@ | tee /tmp/x")
_cmd("TOTP secret in a URL", _base32(), "qrencode 'otpauth://totp/acme:bob?secret=@@&issuer=acme'")
_cmd("PowerShell secure string", _human("!"), "$p = ConvertTo-SecureString '@@' -AsPlainText -Force")

# Environment dumps
_out(
    "password in an environment dump",
    _human(),
    "SHELL=/bin/bash\nPWD=/root\nDB_PASSWORD=@@\nHOME=/root\n_=/usr/bin/env\n",
)
_out("secret in an environment dump", _hex(64), "RAILS_ENV=production\nSECRET_KEY_BASE=@@\nTERM=xterm\n")
_out(
    "password in declare -x",
    _human(),
    'declare -x HOME="/root"\ndeclare -x SMTP_PASSWORD="@@"\ndeclare -x TERM="xterm"\n',
)
_out("token in docker inspect", _apikey(), '"Env": [\n    "PATH=/usr/bin",\n    "BOT_TOKEN=@@"\n],\n')
_out("password in a process list", _plain_word(), "root  4211  0.0  0.1  app-server --port 8080 --db-password=@@\n")

# Plain words
_said(
    "password is", "Tr0ub" + "4dor" + "&3", "Log in to the NAS as admin, the password is @@ and then check the disks."
)
_said("password with a colon", _human(), "user: ops\npassword: @@\nhost: 10.0.0.5")
_said("token for it", "abcd" + "1234" + "efgh" + "5678", "use token @@ for it")
_said("API key with a colon", _apikey(), "My API key: @@. Please look up the weather in Graz.")
_said("quoted password", _human("!"), 'Set the password to "@@" for user anna.')
_said(
    "passphrase in quotes",
    "correct " + "horse battery " + "staple",
    "The passphrase of my ssh key is '@@', unlock it with ssh-add.",
)
_said("passphrase without quotes", _plain_word(), "ssh passphrase is @@")
_said("sudo password", _plain_word(), "you will need sudo, my sudo password is @@")
_said("password in backticks", _human(), "I will log in as `deploy` with password `@@` and read the log.")
_said("German password", _human(), "Das Passwort lautet @@, bitte melde dich damit an.")
_said("login pair with pw", _human(), "login: root, pw: @@")
_said("secret key in plain words", _apikey(), "here's the secret key @@ , put it in the config")

PLANTED: tuple[Planted, ...] = tuple(_planted)


# --- texts without a secret --------------------------------------------------------------------------------------


def _command(command: str) -> str:
    return json.dumps({"command": command})


def _output(output: str) -> str:
    return json.dumps({"output": output, "exit_code": 0, "error": None})


def _content(path: str, content: str) -> str:
    return json.dumps({"path": path, "content": content})


def _gitlog() -> str:
    subjects = ["Fix the password reset form", "Add token refresh", "Rename secret_name", "Bump lodash"]
    entry = "commit {}\nAuthor: Anna Muster <anna@example.com>\nDate:   Wed Jun 11 08:00:00 2025 +0200\n\n    {}\n"
    return "\n".join(entry.format(_hex(40), subject) for subject in subjects)


def _lock() -> str:
    packages = {
        f"node_modules/{name}": {
            "version": version,
            "resolved": f"https://registry.npmjs.org/{name}/-/{name}-{version}.tgz",
            "integrity": "sha512-" + _b64(64),
        }
        for name, version in (("lodash", "4.17.21"), ("js-tokens", "4.0.0"), ("jsonwebtoken", "9.0.2"))
    }
    return json.dumps({"name": "site", "lockfileVersion": 3, "packages": packages}, indent=2)


def _hexdump() -> str:
    rows = []
    for row in range(6):
        data = _bytes(16)
        rows.append(
            f"{row * 16:08x}: " + " ".join(data[i : i + 2].hex() for i in range(0, 16, 2)) + "  ................"
        )
    return "\n".join(rows) + "\n"


def _numbers() -> str:
    return "\n".join("  ".join(f"{_RNG.uniform(-999, 999):10.4f}" for _ in range(6)) for _ in range(8)) + "\n"


def _each(names: list[str], line: Callable[[str], str]) -> str:
    return "".join(line(name) + "\n" for name in names)


_ED25519 = "AAAAC3NzaC1lZDI1NTE5AAAAI" + _pick(_B64, 43)
_RSA_PUBLIC = "AAAAB3NzaC1yc2EAAAADAQABAAABgQ" + _pick(_B64, 340)
_PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ" + _b64(60)

CLEAN: tuple[tuple[str, str], ...] = (
    # hashes and ids
    ("git log", _output(_gitlog())),
    (
        "git log oneline",
        f"{_hex(7)} Fix token refresh\n{_hex(7)} Add password field to the form\n{_hex(7)} Initial commit\n",
    ),
    ("git rev-parse", _output(_hex(40) + "\n")),
    ("git show by sha", _command(f"git show {_hex(40)} --stat")),
    (
        "git index line",
        f"diff --git a/auth.py b/auth.py\nindex {_hex(7)}..{_hex(7)} 100644\n--- a/auth.py\n+++ b/auth.py\n",
    ),
    ("uuids", _output("\n".join(_uuid() for _ in range(4)) + "\n")),
    ("uuid in JSON", json.dumps({"id": _uuid(), "request_id": _uuid(), "status": "done"})),
    ("sha256sum", _output(_each(["a.tar.gz", "b.tar.gz"], lambda name: f"{_hex(64)}  {name}"))),
    ("md5sum", f"{_hex(32)}  dump.sql\n"),
    ("docker digest", _output(f"Digest: sha256:{_hex(64)}\nStatus: Downloaded newer image for postgres:16\n")),
    (
        "docker ps",
        (
            f"CONTAINER ID   IMAGE         STATUS\n"
            f"{_hex(12)}   postgres:16   Up 3 days\n"
            f"{_hex(12)}   redis:7       Up 3 days\n"
        ),
    ),
    ("session id of the agent", json.dumps({"session_id": "20250611_081500_" + _hex(8), "status": "running"})),
    (
        "process session id",
        json.dumps({"session_id": "proc_" + _hex(12), "pid": 4211, "output": "Background process started"}),
    ),
    ("tool call id", json.dumps({"tool_call_id": "call_" + _some(24), "name": "terminal"})),
    ("pip hash", f"requests==2.32.3 \\\n    --hash=sha256:{_hex(64)}\n"),
    ("npm integrity", f'"integrity": "sha512-{_b64(64)}"\n'),
    ("package-lock", _content("package-lock.json", _lock())),
    (
        "script integrity",
        f'<script src="https://cdn.example.com/a.js" integrity="sha384-{_b64(48)}" crossorigin="anonymous"></script>\n',
    ),
    ("go.sum", f"github.com/golang-jwt/jwt/v5 v5.2.1 h1:{_b64(32)}\n"),
    ("etag", f'HTTP/2 200\netag: "{_hex(32)}"\ncontent-length: 1523\n'),
    ("image in HTML", _content("index.html", f'<img alt="dot" src="data:image/png;base64,{_PNG}">\n')),
    ("hex dump", _output(_hexdump())),
    ("table of numbers", _numbers()),
    # lists and logs
    (
        "pip freeze",
        _output("certifi==2024.6.2\ncryptography==42.0.8\nPyJWT==2.8.0\npython-dotenv==1.0.1\ntiktoken==0.7.0\n"),
    ),
    (
        "ls -l",
        (
            "-rw------- 1 root root  411 Jun 11 08:00 id_ed25519\n"
            "-rw-r--r-- 1 root root   96 Jun 11 08:00 id_ed25519.pub\n"
            "-rw-r--r-- 1 root root 1523 Jun 11 08:00 password_reset.py\n"
        ),
    ),
    (
        "ps aux",
        (
            "root      4211  0.0  0.1  12345  6789 ?  Ss  08:00  0:00 /usr/sbin/sshd -D\n"
            "root      4300  0.3  1.2 123456 67890 ?  Sl  08:01  0:07 python3 -m http.server 8080\n"
        ),
    ),
    (
        "pytest names",
        _output(
            "tests/test_auth.py::test_password_reset PASSED\n"
            "tests/test_auth.py::test_api_key_is_required PASSED\n2 passed in 0.41s\n"
        ),
    ),
    ("test name in words", "test_password_reset passed"),
    ("token counts", "tokens: 1523"),
    ("token counts in JSON", '{"prompt_tokens": 1200, "completion_tokens": 323, "total_tokens": 1523}'),
    ("max_tokens", _command("python run.py --model small --max_tokens=4096 --max-tokens 4096")),
    (
        "max_tokens in code",
        _content("run.py", "reply = client.create(model=MODEL, max_tokens=4096, temperature=0.2)\n"),
    ),
    ("KeyError", "Traceback (most recent call last):\n  File \"app.py\", line 12, in <module>\nKeyError: 'token'\n"),
    ("missing variable", "RuntimeError: Environment variable OPENAI_API_KEY is not set\n"),
    (
        "login refused",
        "fatal: Authentication failed for 'https://github.com/acme/site.git/'\nremote: Invalid username or password.\n",
    ),
    ("passwd", _output("passwd: password updated successfully\n")),
    ("etc passwd", _output("root:x:0:0:root:/root:/bin/bash\nwww-data:x:33:33:www-data:/var/www:/usr/sbin/nologin\n")),
    ("locked shadow", "daemon:*:19874:0:99999:7:::\nsshd:!:19874::::::\n"),
    (
        "kubectl get secrets",
        "NAME       TYPE     DATA   AGE\ndb-creds   Opaque   2      41d\napi-token  Opaque   1      12d\n",
    ),
    (
        "kubectl describe secret",
        "Name:         db-creds\nType:  Opaque\n\nData\n====\npassword:  16 bytes\nusername:  3 bytes\n",
    ),
    (
        "gh auth status masked",
        "github.com\n  - Logged in to github.com account acme-bot\n  - Token: gho_" + "*" * 36 + "\n",
    ),
    ("grep in code", _command("grep -rn 'password' src/ --include='*.py' | head -20")),
    ("tree", "src\n|-- auth\n|   |-- token.py\n|   `-- password.py\n`-- secrets.example.yml\n"),
    # source code
    ("function signature", _content("a.py", "def get_token(self, key: str) -> str:\n    return self._tokens[key]\n")),
    ("password from the environment", _content("a.py", 'password = os.environ["DB_PASSWORD"]\n')),
    ("getenv", _content("a.py", 'api_key = os.getenv("OPENAI_API_KEY")\n')),
    ("token from the request", _content("a.py", 'token = request.headers.get("Authorization")\n')),
    ("keyword passed on", _content("a.py", "client = OpenAI(api_key=api_key, base_url=base_url)\n")),
    ("attribute passed on", _content("a.py", "connect(user=settings.user, password=settings.password)\n")),
    (
        "password None",
        _content("a.py", "def login(user: str, password: str | None = None, token: str = '') -> bool: ...\n"),
    ),
    (
        "typed field",
        _content(
            "a.py", "class Login(BaseModel):\n    username: str\n    password: str\n    secret: Optional[bytes]\n"
        ),
    ),
    ("getpass", _content("a.py", 'password = getpass.getpass("Password: ")\n')),
    ("generated secret", _content("a.py", "token = secrets.token_urlsafe(32)\n")),
    ("hashing", _content("a.py", "hashed = bcrypt.hashpw(password.encode(), bcrypt.gensalt())\n")),
    (
        "primary_key",
        _content(
            "models.py",
            "id = models.AutoField(primary_key=True)\nuser = models.ForeignKey(User, on_delete=models.CASCADE)\n",
        ),
    ),
    ("sort_keys", _content("a.py", "print(json.dumps(data, sort_keys=True, indent=2))\n")),
    ("sort key", _content("a.py", "rows.sort(key=lambda row: row.created_at)\nbest = max(scores, key=scores.get)\n")),
    (
        "tokenizer",
        _content("a.py", "tokenizer = AutoTokenizer.from_pretrained(model_name)\ntokens = tokenizer.encode(text)\n"),
    ),
    ("process.env", _content("a.js", "const token = process.env.GITHUB_TOKEN;\nconst apiKey = config.apiKey ?? '';\n")),
    ("f-string header", _content("a.py", 'headers = {"Authorization": f"Bearer {token}"}\n')),
    ("form field", '<input type="password" name="password" placeholder="Password" autocomplete="current-password">\n'),
    ("label texts", '{"password": {"label": "Password", "required": true}, "token": null, "secret": ""}'),
    (
        "JSON schema",
        '{"type": "object", "properties": {"api_key": {"type": "string"}, "password": {"type": "string"}}}',
    ),
    ("password hashers", _content("settings.py", "AUTH_PASSWORD_VALIDATORS = []\nPASSWORD_RESET_TIMEOUT = 259200\n")),
    (
        "camel case",
        (
            "AbstractSingletonProxyFactoryBeanTokenAuthenticationFilterConfigurer "
            "extends UsernamePasswordAuthenticationFilter\n"
        ),
    ),
    ("CSS and keys", "@keyframes fade { from { opacity: 0; } to { opacity: 1; } }\n"),
    ("SQL columns", "SELECT id, password_hash IS NOT NULL AS has_password, token_count FROM users ORDER BY id;\n"),
    # placeholders and references
    ("variable in a flag", _command('mytool push --token "$GITHUB_TOKEN" --password ${PW}')),
    ("variable in an export", _command("export API_KEY=${API_KEY}")),
    ("variable in a header", _command('curl -H "Authorization: Bearer $TOKEN" https://api.example.com/me')),
    ("variable in a URL", _command('psql "postgres://app:${DB_PASSWORD}@db:5432/app"')),
    ("variable in curl -u", _command('curl -u "$USER:$PASS" https://ci.example.com/')),
    ("command in an assignment", _command("TOKEN=$(cat /run/secrets/token) && PGPASSWORD=`pass show db` psql")),
    ("placeholder in angle brackets", _content(".env.example", "PASSWORD=<your password>\nAPI_KEY=\n")),
    ("placeholder in a header", "Authorization: Bearer <token>\n"),
    ("stars", "password: ****"),
    ("stars in a URL", "origin\thttps://oauth2:****@gitlab.com/acme/tools.git (fetch)\n"),
    (
        "workflow secret",
        _content("ci.yml", "env:\n  NPM_TOKEN: ${{ secrets.NPM_TOKEN }}\n  GITHUB_TOKEN: ${{ github.token }}\n"),
    ),
    ("secret name", "secret_name: db-creds"),
    ("secretKeyRef", "valueFrom:\n  secretKeyRef:\n    name: db-creds\n    key: password\n"),
    ("key: value", "key: value\nname: site\nreplicas: 3\n"),
    ("password-stdin", _command("docker login -u acme --password-stdin < /run/secrets/docker")),
    ("password file", _command("restic --password-file /etc/restic/pw -r /backup snapshots")),
    ("flags with -p", _command("mkdir -p /srv/data && cp -p a b && ssh -p 2222 host && nmap -p443 10.0.0.5")),
    ("flags with -u", _command("docker run -u 1000:1000 -p 8080:80 nginx && sudo -u postgres psql -p 5433")),
    ("mysql asks", _command("mysql -u root -p app < dump.sql")),
    ("token type", '{"token_type": "bearer", "expires_in": 3600, "scope": "read"}'),
    # addresses
    ("URLs", _command("curl -L https://example.com:8443/a/b?page=2&sort=name#top http://localhost:3000/api/tokens")),
    (
        "documentation URL",
        "See https://docs.example.com/guides/password-reset?lang=en and https://example.com/@anna/post-12\n",
    ),
    ("emails", "From: anna@example.com\nTo: ops+alerts@example.org\n"),
    ("scp", _command("scp -r build/ deploy@10.0.0.5:/var/www/site")),
    (
        "git ssh remote",
        _output("origin\tgit@github.com:org/repo.git (fetch)\norigin\tgit@github.com:org/repo.git (push)\n"),
    ),
    ("ssh URL", _command("git clone ssh://git@gitlab.example.com:2222/org/repo.git")),
    ("database URL without password", "postgres://localhost:5432/app and redis://cache:6379/0\n"),
    ("user in a database URL", _command("psql postgres://app@localhost:5432/app")),
    ("IPv6 and times", "2025-06-11 08:00:01 listening on [2001:db8::1]:8080, up 12:34:56\n"),
    # public halves
    ("ed25519 public key", f"ssh-ed25519 {_ED25519} anna@laptop\n"),
    ("RSA public key", _content("/root/.ssh/authorized_keys", f"ssh-rsa {_RSA_PUBLIC} anna@laptop\n")),
    ("known hosts", f"github.com ssh-ed25519 {_ED25519}\n"),
    ("fingerprint", f"256 SHA256:{_pick(_B64, 43)} anna@laptop (ED25519)\n"),
    ("certificate", f"-----BEGIN CERTIFICATE-----\n{_body(700)}\n-----END CERTIFICATE-----\n"),
    ("PEM public key", _content("pub.pem", f"-----BEGIN PUBLIC KEY-----\n{_body(294)}\n-----END PUBLIC KEY-----\n")),
    ("age recipient", "# public key: age1" + _pick(_BECH32.lower(), 58) + "\n"),
    # plain words
    ("reset page", "The password reset page is broken"),
    ("enter your password", "Please enter your password to continue."),
    ("forgotten password", "I forgot my password, the token expired and the API key page shows an error."),
    ("password rule", "The password must be at least 12 characters long and the secret is stored in Vault."),
    ("token is missing", "The token is missing, so the request fails with 401."),
    ("password is wrong", "It says the password is incorrect. Is the token valid?"),
    ("where the key is", "The API key is in the .env file; use the token from the environment."),
    ("tokens in words", "The context has 128000 tokens, the answer used 1523 tokens."),
    ("keyboard", "Press the key: Enter, then the Escape key."),
    ("German words", "Das Passwort ist falsch, bitte setze es zurueck."),
)
