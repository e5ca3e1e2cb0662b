/**
 * What a hostile command would try, as data: `doctor` and the tests run each in the sandbox and see what got through.
 *
 * @module
 */

/** One attempt: a shell script that ends with 0 only if it got what it wanted. */
export interface Trial {
  readonly name: string;
  readonly script: string;
  /** Whether it should succeed. */
  readonly allowed: boolean;
  /** Programs that it needs: without one of them it proves nothing and is left out. */
  readonly needs?: readonly string[];
}

/** Where the trials take place. All paths are canonical. */
export interface TrialGround {
  /** A workspace with a git repository, without `.vscode`, and with a link `way-out` to `outside`. */
  readonly workspace: string;
  /** A folder that must not be changed, with a file `marker`, on the same disk. */
  readonly outside: string;
  /** A port on which something listens on this machine's 127.0.0.1. */
  readonly port: number;
  /** The path of a Unix socket on which something listens, below `/tmp` or `/run`. */
  readonly socket?: string;
  /** The id of a process outside, one of ours. */
  readonly pid: number;
}

/** The attempts for a ground. */
export function trialsFor({ outside, port, socket, pid }: TrialGround): Trial[] {
  const blocked = (name: string, script: string, ...needs: string[]): Trial => ({
    name,
    script,
    allowed: false,
    needs,
  });
  const allowed = (name: string, script: string, ...needs: string[]): Trial => ({ name, script, allowed: true, needs });
  const python = (code: string) => `python3 -c ${quote(code)}`;
  return [
    allowed("write in the workspace", "echo x > made && rm made"),
    allowed("write in the temporary folder", 'echo x > "$TMPDIR/made"'),
    allowed("commit with git", "git -c user.name=x -c user.email=x@x commit -q --allow-empty -m x", "git"),
    allowed("run Python", "python3 -c 'print(1)'", "python3"),
    blocked("write outside", `echo x > ${quote(`${outside}/made`)}`),
    blocked("change a file outside", `echo x >> ${quote(`${outside}/marker`)}`),
    blocked("write through a link", "echo x > way-out/made"),
    blocked("make a hard link to a file outside", `ln ${quote(`${outside}/marker`)} hard`),
    blocked("change the permissions of a file outside", `chmod 777 ${quote(`${outside}/marker`)}`),
    blocked("write git's configuration", "echo x >> .git/config"),
    blocked("set git's configuration", "git config core.fsmonitor x", "git"),
    blocked("plant a git hook", "mkdir -p .git/hooks && echo x > .git/hooks/pre-commit"),
    blocked("move .git away", "mv .git git2"),
    blocked("plant an editor's task", "mkdir -p .vscode && echo x > .vscode/tasks.json"),
    blocked("plant our own configuration", "mkdir -p .mini-agent && echo x > .mini-agent/config.json"),
    blocked("connect to this machine", `bash -c ${quote(`exec 3<>/dev/tcp/127.0.0.1/${port}`)}`, "bash"),
    blocked(
      "connect to this machine with Python",
      python(`import socket; socket.create_connection(("127.0.0.1", ${port}), 1)`),
      "python3",
    ),
    blocked("fetch from this machine", `curl -sm 1 http://127.0.0.1:${port}/`, "curl"),
    blocked("send a datagram", python('import socket; socket.socket(2, 2).sendto(b"x", ("192.0.2.1", 53))'), "python3"),
    blocked("resolve a name", "getent hosts example.com", "getent"),
    ...(socket === undefined ? [] : [
      blocked(
        "connect to a Unix socket",
        python(`import socket; socket.socket(1).connect(${JSON.stringify(socket)})`),
        "python3",
      ),
    ]),
    blocked("open the terminal", "exec 3<>/dev/tty"),
    blocked("see a process outside", `[ -e /proc/${pid}/environ ] && grep -q . /proc/${pid}/environ`),
    blocked("end a process outside", `kill -0 ${pid}`),
    blocked(
      "read the environment that started it",
      // our mark may be there; the size of such a file is always told as 0
      "tr '\\0' '\\n' < /proc/1/environ | grep -qv '^MINI_AGENT_CHILD='",
    ),
    blocked("hold a capability", "grep -q '^Cap[EPA][a-z]*:.*[1-9a-f]' /proc/self/status"),
    blocked("mount", "mount -t tmpfs none /mnt", "mount"),
    blocked("mount in a user namespace of its own", "unshare -Urm mount -t tmpfs none /mnt", "unshare"),
    blocked("make a user namespace", "unshare -U true", "unshare"),
    // writes what stands there already: where it gets through, nothing changes
    blocked("set a switch of the kernel", 'v=$(cat /proc/sys/vm/swappiness) && echo "$v" > /proc/sys/vm/swappiness'),
    blocked("make a device", "mknod disk b 8 0"),
    blocked("change the owner of the root", "chown 12345 ."),
  ];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
