"""How programs for data, archives, packages, the network, version control and files complain."""

from __future__ import annotations

from warm_tui.reliability.complaint import Complaint, complaint

_ERRNO = (
    r"(?:No such (?:file or directory|device|process)|Permission denied|Not a directory|File exists"
    r"|Directory not empty|Operation not permitted|Read-only file system|No space left on device"
    r"|Connection (?:refused|timed out|reset by peer)|Name or service not known|Device or resource busy"
    r"|Temporary failure in name resolution)"
)
_MOVERS = (
    "cp mv rm mkdir rmdir ln chmod chown touch install dd mktemp sort cut tee date kill split truncate shred stat"
    " realpath readlink basename numfmt"
)

SYSTEM_COMPLAINTS: tuple[Complaint, ...] = (
    # --- text and data ---
    complaint(
        "awk", "awk gawk mawk",
        r"[mg]?awk: (?!.*\bwarning: ).*(?:error|\^|cannot|fatal).*",
        source="gawk manual, diagnostics",
        examples=(
            ("awk '{ print' a | head", "awk: cmd. line:1: { print $1\nawk: cmd. line:1:    ^ unexpected newline"),
        ),
    ),
    complaint(
        "sed", "sed",
        "sed: (?:-e expression|can't|couldn't|no |file ).*",
        source="sed manual, Reporting Bugs",
        examples=(("sed 's/a/b' a | head", "sed: -e expression #1, char 5: unterminated `s' command"),),
    ),
    complaint(
        "jq", "jq yq",
        r"(?:jq: )?(?:parse )?error\b.*", "yq: Error .*", r"jq: [1-9]\d* compile errors?", "Error: .*",
        source="jq manual",
        examples=(("curl -s x | jq . | head", "parse error: Invalid numeric literal at line 1, column 5"),),
    ),
    complaint(
        "xml", "xmllint xsltproc xmlstarlet",
        r"[^\s:]*:\d+: parser error : .*", ".*failed to load .*", "(?:compilation|runtime) error: .*",
        r"cannot parse \S+$",
        source="xmllint(1)",
        examples=(("xmllint a | head", "a.xml:2: parser error : Premature end of data"),), tolerates="--recover",
    ),
    complaint(
        "sqlite", "sqlite3",
        r"(?:Parse error|Runtime error)\b.*", r"Error:? (?:near|in|at|while) \S.*", r" +\^--- error here$",
        r"Error: (?:stepping,|unable|cannot|no such|incomplete|unrecognized|unknown|missing|too many|not an?|file) .*",
        r"Error: (?:database|disk|table|column|index|UNIQUE|NOT NULL|CHECK|FOREIGN|datatype|attempt|syntax) .*",
        source="SQLite command line shell",
        examples=(("sqlite3 a.db 'select' | head", "Error: in prepare, no such table: a"),),
    ),
    complaint(
        "postgres", "psql createdb dropdb pg_dump pg_restore pg_ctl initdb",
        r"(?:psql|createdb|dropdb|pg_\w+|initdb): (?:error|FATAL|could not)\b.*", "(?:ERROR|FATAL|PANIC):  .*",
        r"psql:\S+:\d+: (?:ERROR|FATAL): .*",
        source="PostgreSQL manual, psql and error message style; a script's errors leave 0 without ON_ERROR_STOP",
        examples=(("psql -f a.sql", 'psql:a.sql:1: ERROR:  relation "a" does not exist'),), certain_exit=False,
    ),
    complaint(
        "mysql", "mysql mysqldump mariadb mysqladmin",
        r"ERROR \d+ \(\w+\)(?: at line \d+)?: .*",
        r"\a?mysql\w*: (?:Got error|\[ERROR\]|connect to server).*", "error: '.*",
        source="MySQL manual, error message elements",
        examples=(("mysql -e x | head", "ERROR 2002 (HY000): Can't connect to server"),),
    ),
    complaint(
        "redis", "redis-cli",
        "Could not connect to Redis .*", r"\(error\) .*", "(?:ERR|WRONGTYPE|NOAUTH) .*",
        source="redis-cli; an error reply leaves 0",
        examples=(("redis-cli get", "(error) ERR wrong number of arguments for 'get' command"),), certain_exit=False,
    ),
    complaint(
        "bc", "bc dc",
        r"\(standard_in\) \d+: .*", ".*: syntax error$", "Runtime error .*", "dc: .*",
        source="bc manual; it ends with 0 all the same",
        examples=(("echo '1 +* 2' | bc", "(standard_in) 1: syntax error"),), certain_exit=False,
    ),
    # --- archives and packages ---
    complaint(
        "tar", "tar bsdtar",
        "(?:bsd)?tar: (?!Removing leading|Ignoring unknown extended|.*file changed as we read it).*",
        "(?:gzip|bzip2|xz): (?!.*Broken pipe).*",
        source="GNU tar manual, informative messages are few",
        examples=(("tar xzf a.tgz; ls", "tar: Error is not recoverable: exiting now"),),
    ),
    complaint(
        "zip", "unzip zip zipinfo",
        "unzip: +cannot find .*", "  End-of-central-directory signature not found.*", "zip error: .*",
        r"(?:[ \t]*zip warning: name|caution: filename) not matched: .*", "error: .*",
        source="Info-ZIP manual pages",
        examples=(("unzip a.zip | tail", "unzip:  cannot find zipfile directory in one of a.zip or"),),
    ),
    complaint(
        "compressor", "gzip gunzip zcat bzip2 bunzip2 bzcat xz unxz xzcat zstd lz4",
        "(?:gzip|bzip2|xz|zstd|lz4|gunzip|bunzip2): (?!.*[Bb]roken pipe).*"
        "(?:not in|not a|not recogni|unsupported|already exists|No such|corrupt|Can't|[Uu]nexpected|Unknown|denied).*",
        r"Error \d+ : (?:Unrecognized header|Decompression error|Unfinished stream|Stream followed by) .*",
        source="gzip(1), xz(1), bzip2(1), zstd(1)",
        examples=(("gzip -d a.gz; ls", "gzip: a.gz: not in gzip format"),),
    ),
    complaint(
        "ext file systems", "e2fsck fsck.ext2 fsck.ext3 fsck.ext4 tune2fs dumpe2fs resize2fs debugfs mke2fs mkfs.ext4",
        r"(?P<who>[\w.]+): .* while trying to (?:open|determine) .*",
        source="e2fsck(8), com_err(3)",
        examples=(("fsck.ext4 -n a; ls", "fsck.ext4: Bad magic number in super-block while trying to open a"),),
    ),
    complaint(
        "iconv", "iconv",
        r".*iconv: (?:illegal input sequence at position|unable to convert|conversion .* not supported).*",
        source="iconv(1): what it had converted stands before it on the line",
        examples=(("iconv -f utf-8 -t ascii a; ls", "caficonv: illegal input sequence at position 3"),),
    ),
    complaint(
        "7z", "7z 7za 7zr",
        "ERRORS?: .*", "ERRORS?:$", "Can't open as archive.*", "(?:Archives with|Sub items) Errors: [1-9]",
        "System ERROR:.*", "No files to process",
        source="7-Zip, exit codes",
        examples=(("7z x a.7z | tail", "Can't open as archive: 1"),),
    ),
    complaint(
        "packages", "apt apt-get apt-cache dpkg dpkg-query aptitude rpm dnf yum apk brew",
        "E: .*", r"dpkg(?:-\w+)?: (?:error|no packages found)\b.*",
        "(?:Errors were encountered|dpkg-deb: error).*", "error: .*",
        "Error: .*", "ERROR: .*",
        source="apt-get(8), dpkg(1), rpm(8)",
        examples=(("apt-get install -y none | tail -1", "E: Unable to locate package none"),),
    ),
    complaint(
        "cargo_like", "fd hyperfine just",
        "error: .*",
        source="clap, how errors are printed",
        examples=(("just all | tail", "error: Justfile does not contain recipe `all`"),),
    ),
    complaint(
        "gnuplot", "gnuplot",
        r'(?:"[^"\n]{1,200}",? )?line \d+: (?!warning: )\S.*',
        source="gnuplot, int_error: the place, and what is wrong",
        examples=(("gnuplot a.gp | tail -2", '"a.gp" line 2: No data in plot'),),
    ),
    # --- the network ---
    complaint(
        "curl", "curl",
        r"curl: \(\d+\) .*", "curl: (?:option|try) .*",
        source="curl(1), exit codes",
        examples=(("curl -sS localhost:9; ls", "curl: (7) Failed to connect to localhost port 9"),),
    ),
    complaint(
        "wget", "wget",
        r".*\bfailed: (?:Connection|Name or service|Temporary|Network|Operation|No route).*",
        "wget: (?:unable to|unrecognized|invalid|missing) .*",
        r".*\bERROR \d{3}: .*", r"Username/Password Authentication Failed\.$", "Unable to establish .*",
        source="wget manual, exit status",
        examples=(("wget -O a b; ls", "2024-01-01 10:00:00 ERROR 404: Not Found."),),
    ),
    complaint(
        "ssh", "ssh scp sftp rsync ssh-copy-id git",
        "ssh: (?:connect to|Could not resolve).*", r".*: Permission denied \(publickey.*",
        r"Host key verification failed\.", r"(?:\S{0,80}scp: )?Connection (?:closed|refused)\b.*", "rsync error: .*",
        r"rsync: (?:\[\w+\] )?.*(?:failed|error).*", "lost connection",
        source="ssh(1), scp(1), rsync(1)",
        examples=(("scp a b:; ls", "ssh: connect to host b port 22: Connection refused"),),
    ),
    complaint(
        "netcat", "nc ncat netcat telnet socat",
        ".*(?:Connection refused|Connection timed out|Name or service not known|forward host lookup failed"
        "|Could not resolve).*",
        source="nc(1), socat(1)",
        examples=(("nc -vz a 9; ls", "nc: connect to a port 9 (tcp) failed: Connection refused"),),
    ),
    complaint(
        "ping", "ping dig host nslookup traceroute",
        "(?:ping|host|dig|traceroute)6?: .*", ";; (?:connection timed out|communications error).*",
        ";; no servers could be reached",
        r"\*\* server can't find .*",
        source="ping(8), dig(1)",
        examples=(("ping -c1 a | tail", "ping: a: Name or service not known"),),
    ),
    complaint(
        "cloud", "docker podman kubectl helm terraform gh aws gcloud az",
        "ERROR: .*", "Error response from daemon: .*", "docker: .*", "Cannot connect to the Docker daemon.*",
        "[Ee]rror: .*", r"error (?:parsing|validating) \S+: error .*", r"Error from server\b.*", "unable to .*",
        "OCI runtime exec failed: .*", "pull request [a-z]+ failed: .*",
        r"An error occurred \(.*",
        "An image does not exist locally with the tag: .*", "the input device is not a TTY.*",
        r"command terminated with exit code [1-9]\d*$", 'service ".*" is not running.*', "│ Error: .*",
        "The connection to the server .*", r"gh: .*\(HTTP \d+\)",
        r"E\d{4} .*couldn't get current server API group list: .*",
        source="the programs' manuals: each begins with its own word for an error",
        examples=(
            ("docker build . | tail", "ERROR: failed to solve: nothing: not found"),
            ("kubectl get pods; ls", "Error from server (NotFound): no"),
        ),
    ),
    complaint(
        "cobra", "docker podman kubectl helm gh",
        "(?:Error: )?unknown (?:shorthand )?(?:flag|command)\\b.*",
        r"Run '(?:docker|podman|kubectl|helm|gh)[\w -]{0,60} --help' for more information\.?$",
        source="spf13/cobra and pflag, error messages",
        examples=(("docker ps --nothing | head", "unknown flag: --nothing"),),
    ),
    complaint(
        "ansible", "ansible ansible-playbook ansible-galaxy ansible-vault",
        r"ERROR! .*", r"\S+ +: ok=\d+ .*\b(?:unreachable|failed)=[1-9].*", r"\S+ \| (?:FAILED|UNREACHABLE)!? .*",
        source="Ansible, the default callback: what was rescued or ignored is not counted as failed",
        examples=(
            ("ansible-playbook a.yml | tail",
             "web1 : ok=0 changed=0 unreachable=0 failed=1 skipped=0 rescued=0 ignored=0"),
        ),
    ),
    complaint(
        "checksums",
        "shasum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum",
        r"\w*sum: WARNING: \d+ (?:computed checksums?|listed files?) (?:did NOT|could not) .*",
        r"\w+sum: .*(?:No such file|no properly formatted).*",
        source="coreutils manual, md5sum",
        examples=(("sha256sum -c a | tail", "sha256sum: WARNING: 1 computed checksum did NOT match"),),
    ),
    complaint(
        "openssl", "openssl",
        "(?:unable to|Could not|Can't|Error|No such) .*", "[0-9A-Fa-f]+:error:.*", r"\w+: Can't open .*",
        r"error \S+: verification failed$", "bad (?:magic number|decrypt)", r"connect:errno=\d+$",
        source="openssl-errors",
        examples=(("openssl x509 -in a | head", "Could not read certificate from a"),),
    ),
    complaint(
        "gpg", "gpg gpg2",
        r"gpg: (?:decrypt_message failed|no valid OpenPGP|can't|cannot|keyserver .* failed"
        r"|(?:\S+: )?(?:clear-)?(?:sign|(?:en|de)crypt)\w* failed"
        "|.*: No such file|BAD signature).*",
        source="GnuPG manual",
        examples=(("gpg -d a | head", "gpg: decrypt_message failed: Unknown system error"),),
    ),
    complaint(
        "sbt", "sbt",
        r"\[error\] .*(?![\s\S]{0,1500}\n\[success\] )",
        source="sbt manual, logging",
        examples=(("sbt compile | tail -2", "[error] (Compile / compileIncremental) Compilation failed"),),
    ),
    complaint(
        "pg_isready", "pg_isready",
        r"\S+ - (?:no response|rejecting connections)$(?![\s\S]{0,1500} - accepting connections$)",
        source="pg_isready(1)",
        examples=(("pg_isready -h db | cat", "db:5432 - no response"),),
    ),
    complaint(
        "build of vite", "npm npx yarn pnpm",
        "error during build:$",
        source="Vite, building for production",
        examples=(("npm run build; ls dist", "x Build failed in 402ms\nerror during build:\nsrc/a.tsx (3:9): no"),),
    ),
    complaint(
        "pandoc", "pandoc",
        "pandoc: .*", ".*: withBinaryFile: .*", "Could not .*", "Unknown (?:input|output) format .*",
        source="pandoc manual, exit codes",
        examples=(("pandoc a.md | head", "pandoc: a.md: withBinaryFile: does not exist"),),
    ),
    # --- version control ---
    complaint(
        "git", "git",
        "(?:fatal|error): .*", r"CONFLICT \(.*", r"git: '\S+' is not a git command.*",
        r" ! \[(?:remote )?rejected\] .*", r"Could not apply [0-9a-f]{7,40}\.\.\. .*",
        r"merge: .* - not something we can merge$", r"No stash entries found\.$", r"Patch format detection failed\.$",
        'You need to start by "git bisect start"', "There is no tracking information .*",
        r'hint: run "git [\w-]+ --abort"\.\Z',
        r" *git branch --set-upstream-to=<remote>/.*", "Please make sure you have the correct access rights$",
        "hint: See the 'Note about fast-forwards' in 'git push --help' for details",
        source="Git's api-error-handling",
        examples=(("git push; ls", "fatal: 'origin' does not appear to be a git repository"),),
    ),
    complaint(
        "other_vcs", "hg svn bzr",
        "abort: .*", r"svn: E\d+: .*", r"svn: warning: W\d+: .*",
        source="Mercurial and Subversion books",
        examples=(("hg log | head", "abort: repository nowhere not found"),),
    ),
    complaint(
        "patch", "patch",
        r"[1-9]\d* out of \d+ hunks? (?:FAILED|ignored).*", "can't find file to patch .*", r"patch: \*\*\*\* .*",
        "patch: .*",
        source="patch(1)",
        examples=(("patch -p1 < a; ls", "1 out of 1 hunk FAILED -- saving rejects to file a.rej"),),
    ),
    # --- the shell and what comes with it ---
    complaint(
        "systemd", "systemctl service journalctl",
        "Failed to .*", r"Job for \S+ failed because .*",
        r"Unit \S+ could not be found\..*", "System has not been booted .*",
        source="systemctl(1)",
        examples=(("systemctl is-active a; ls", "Failed to connect to bus: No such file or directory"),),
    ),
    complaint(
        "coreutils",
        _MOVERS,
        rf"(?:\S*/)?(?P<who>{_MOVERS.replace(' ', '|')}): (?!created |removing |.*(?:Broken pipe|omitting directory)).*"
        rf"(?:{_ERRNO}|cannot|invalid|unrecognized|missing|extra operand|failed).*",
        source="GNU Coding Standards: program: message",
        examples=(("cp a b; ls", "cp: cannot stat 'a': No such file or directory"),),
    ),
    complaint(
        "builtins", "cd kill source . pushd popd wait exec ulimit",
        r"(?:\S*/)?(?:ba|da|z|k)?sh: (?:line )?\d+: (?:cd|kill|source|\.|pushd|popd|wait|exec|ulimit): .*",
        source="bash manual: shell: line: builtin: message",
        examples=(("cd nowhere; ls", "bash: line 1: cd: nowhere: No such file or directory"),),
    ),
    complaint(
        "walkers", "ls find du grep egrep fgrep rg",
        rf"(?P<who>ls|find|du|[ef]?grep|rg): [^:\n]{{1,200}}: (?!Permission){_ERRNO}(?: \(os error \d+\))?$",
        source="GNU Coding Standards; what they may not enter they pass over",
        examples=(("find nowhere -name a | wc -l", "find: 'nowhere': No such file or directory"),),
    ),
    complaint(
        "viewers", "cat head tail wc file less diff cmp od xxd strings",
        rf"(?P<who>cat|head|tail|wc|less|z?diff|cmp|od|xxd|strings): [^:\n]{{1,200}}: {_ERRNO}$",
        source="GNU Coding Standards: program: file: message",
        examples=(("cat a | wc -l", "cat: a: No such file or directory"),), needs_a_file=True,
    ),
)  # fmt: skip
