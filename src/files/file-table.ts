/** `secret` files may hold secrets; the other kinds decide what runs or what a tool obeys. */
export type SensitiveKind = 'git' | 'editor' | 'secret' | 'rules' | 'server' | 'runs';

/**
 * Files that are asked about, by class; of several rows that fit, the first gives the reason. Words are compared
 * after `fold`: `name` is a file of that name in any folder, `name/` a folder with everything in it, and
 * `folder/name` these two in sequence with everything in them. `*` is any text within a name, and `{a,b}` is one of
 * these.
 */
export const fileTable: readonly (readonly [because: SensitiveKind, reason: string, words: string])[] = [
  ['git', 'version control runs its hooks', '.husky/ .githooks/ .git-hooks/ .pre-commit/ .lefthook/'],
  ['git', 'data and settings of other version control', '.hg/ .hgrc .svn/ .jj/ .bzr/ .sl/ .pijul/'],
  ['git', 'git obeys them', '.gitattributes .gitmodules .gitconfig .gitlint'],
  ['git', 'with a few empty folders they make any folder a repository, and git obeys its config', 'head config'],
  [
    'git',
    'they name the programs of hooks',
    '{.,}pre-commit-{config,hooks}.{yml,yaml} {.,}lefthook{,-local}.{yml,yaml,toml,json} {.,}huskyrc* .overcommit.yml {.,}simple-git-hooks.* {.,}lintstagedrc* {.,}nano-staged.* {.,}commitlintrc* captainhook.json .czrc .cz.*',
  ],

  [
    'editor',
    'editors obey them when the folder is open',
    '.vscode/ .vscode-test/ .vscode-server/ .vscode-insiders/ .positron/ .theia/ .vs/ .idea/ .run/ .fleet/ .zed/ .cursor/ .devcontainer/ .settings/ .nvim/ .vim/ .helix/ .lapce/ nbproject/ .nlsp-settings/',
  ],
  [
    'editor',
    'workspaces and projects of editors',
    '*.code-workspace *.code-profile *.sublime-{project,settings,build}',
  ],
  ['editor', 'projects of editors', '*.i{ml,pr,ws} *.xcscheme .lite_project.lua .neoconf.json coc-settings.json'],
  ['editor', 'programs that editors and assistants start', '{.,}mcp.json {.,}mcp{-,_,.}*.json {.,}devcontainer.json'],
  [
    'editor',
    'an editor reads them when it starts in the folder',
    '{.,_}{g,}vimrc .{local.,l}vimrc {.,_}exrc .nvim{.lua,rc} .vim.lua .dir-locals{,-2}.el .emacs .projectile .kakrc .nanorc',
  ],
  [
    'editor',
    'a debugger or an interpreter reads them when it starts in the folder',
    '.gdb{,early}init .lldbinit* .cgdb/ .cgdbrc .dbxinit .radare2rc .pdbrc{,.py} .pythonstartup .ipython/ .jupyter/ .byebugrc .perldb .ghci .pryrc .irbrc .rdbgrc* jdb.ini',
  ],

  ['secret', 'variables of an environment', '.env* *.env .{flask,docker,dev,prod}env .dev.vars{,.*} .user.env.*'],
  ['secret', 'environments and memory of running programs', 'proc/*/environ proc/*/mem proc/*/maps'],
  [
    'secret',
    'private keys',
    '*.{pem,key,p8,p12,pfx,pkcs12,jks,keystore,bcfks,ppk,asc,gpg,pgp,age,agekey,ovpn,mobileprovision,keytab} *.kdb{,x} id_{rsa,dsa,ecdsa,ed25519,xmss}{,_sk}{,.*,_*,-*} ssh_host_*_key .ssh/ .gnupg/ wireguard/*.conf wg*.conf',
  ],
  [
    'secret',
    'tokens of package registries',
    '.{npm,pnpm,yarn}rc .yarnrc.yml .pypirc .gem-credentials .gem/credentials .cargo/credentials{,.toml} {.,}auth.json nuget.config .m2/settings{,-security}.xml .gradle/gradle.properties .hex/',
  ],
  [
    'secret',
    'passwords of services',
    '{.,_}netrc .git-credentials .config/git/credentials .gitcookies .htpasswd .pgpass pgpass.conf .my{,login}.cnf .dockercfg .docker/config.json .vault-token {.,}vault{-,_}pass{,word}{,.txt} .s3cfg .boto .passwd-s3fs rclone.conf .databrickscfg .snowflake/ .snowsql/ .dbt/ .mongorc.js {.,}sftp-config.json .ftpconfig sitemanager.xml recentservers.xml .smbcredentials',
  ],
  [
    'secret',
    'credentials',
    '{.,}credentials{,.json,.yml,.yaml,.toml,.xml,.db,.csv,.properties,.tfrc.json} {,*_,*-}access{,-,_}keys.csv token{,s}.json *.secret{,s}.exs {.,}secret{,s} {.,}secret{,s}{,.*}.{json,yml,yaml,toml,ini,env,properties,txt} *.secret{,s}{,.yml,.yaml,.json} local_settings.py local.settings.json wp-config.php appsettings.{production,staging,local,secrets}.json',
  ],
  [
    'secret',
    'accounts of cloud services',
    '.aws/ .azure/ .gcloud/ .oci/ .bluemix/ .fly/ .chef/ .pulumi/ .cloudflared/ .wrangler/ .config/{gh,glab-cli,hub,gcloud,op,doctl,hcloud,scw,heroku,netlify,configstore,rclone,containers,solana}/ .vercel/auth.json client_secret*.json service{,-,_}account*.json application_default_credentials*.json {adminsdk,gcpkey,gcp-key,firebase-adminsdk}*.json *-firebase-adminsdk-*.json {accesstokens,azureprofile,msal_token_cache*}.{json,bin} *.publishsettings',
  ],
  [
    'secret',
    'keys of models and data',
    '.kaggle/ kaggle.json .cache/huggingface/token .huggingface/ .openai/ .anthropic/',
  ],
  [
    'secret',
    'accounts of assistants',
    '.codex/auth.json .claude/.credentials.json .gemini/oauth_creds.json .copilot/config.json',
  ],
  [
    'secret',
    'values and states of infrastructure',
    '*.tfvars{,.json} *.tfstate{,.*} {.,}terraformrc terraform.rc .terraform.d/',
  ],
  ['secret', 'access to clusters', '.kube/ {.,}kube{,-}config{,.yml,.yaml} *.kubeconfig k3s.{yml,yaml} talosconfig'],
  [
    'secret',
    'what was typed, passwords among it',
    '.*_hist{,ory}{,-*} .histfile .zhistory .lesshst .dbshell .viminfo .rhistory .{bash,zsh}_sessions/ fish_history ghci_history {bash,zsh,sh,python,mysql,psql,node_repl}_history consolehost_history.txt .local/share/atuin/',
  ],
  [
    'secret',
    'logins of browsers and of password managers',
    '{logins,key3,key4,signons}.{json,db,sqlite} cookies{,.sqlite,-journal,.txt} *.har {login,web}*data{,-journal} *.keychain{,-db} *.{agilekeychain,opvault,1pux,psafe3} .mozilla/ .config/{google-chrome,chromium}/ .password-store/ .local/share/keyrings/ wallet.dat',
  ],
  ['secret', 'passwords of the system', '{g,}shadow{,-} master.passwd{,-} sudoers opasswd'],

  [
    'rules',
    'folders of assistants: rules, hooks, programs that they start',
    '.claude/ .clinerules/ .roo/ .kilocode/ .continue/ .windsurf/ .agents/ .agent/ .codex/ .gemini/ .copilot/ .amazonq/ .junie/ .aiassistant/ .trae/ .augment/ .qwen/ .opencode/ .goose/ .kiro/ .openhands/ .factory/ .crush/ .qoder/ .codebuddy/ .zencoder/ .tabnine/ .cody/ .devin/ .plandex/ .ruler/ .rulesync/ .specify/ .warp/ .mcp/ .llm/ .ai/',
  ],
  [
    'rules',
    'assistants follow them',
    '{agent,agents,claude,gemini,qwen,codex,crush,warp,opencode,conventions}{,.local,.override}.md copilot-instructions.md skill.md replit.md *.{prompt,instructions,chatmode,agent}.md *.mdc *.toolset{,s}.jsonc',
  ],
  [
    'rules',
    'settings of assistants',
    '.cursorrules .windsurfrules .clinerules* .roorules* .roomodes .kilocodemodes .aider* .mentatconfig* .goosehints .rules .replit{,.nix} .augment-guidelines {.,}opencode.json{,c} {.,}crush.json {.,}greptile.json firebender.json .coderabbit.{yml,yaml} .pr_agent.toml',
  ],
  [
    'rules',
    'what assistants leave alone',
    '.{cline,roo,kilocode,gemini,qwen,cursor,codeium,augment,aider,goose,ai}ignore .aiexclude',
  ],

  [
    'server',
    'a server runs it as soon as it is pushed',
    '.github/ .forgejo/ .gitea/ .gitlab/ .circleci/ .buildkite/ .woodpecker/ .tekton/ .semaphore/ .builds/ .azuredevops/ .pipelines/ .harness/ .teamcity/',
  ],
  [
    'server',
    'a server runs it as soon as it is pushed',
    '.{gitlab-ci,travis,appveyor,drone,cirrus,woodpecker,builds,mergify}.{yml,yaml} .cirrus.star {appveyor,azure-pipelines,bitbucket-pipelines,cloudbuild,buildspec,codefresh,wercker}*.{yml,yaml} action.{yml,yaml} jenkinsfile* netlify.toml vercel.json fly.toml render.yaml railway.{json,toml} {.,}renovate{.json,.json5,rc,rc.json}',
  ],

  [
    'runs',
    'programs and libraries that others run',
    'node_modules/ .venv/ site-packages/ .yarn/ .pnp/ .pnp.* .bundle/ .cargo/ .mvn/ .direnv/ .mise/ .terraform/ buildsrc/ gradle/wrapper/ .storybook/ .vitepress/',
  ],
  [
    'runs',
    'packages of JavaScript',
    '{package,package-lock,npm-shrinkwrap,composer,deno,bower,lerna,nx,turbo,rush,project}.json{,c} bunfig.toml pnpm-workspace.yaml .pnpmfile.{c,}js .ncurc* vcpkg.json',
  ],
  ['runs', 'what gets installed', '*.lock *.lockb *{-,.}lock.*'],
  [
    'runs',
    'compilers and language servers load the plugins that they name',
    '{ts,js}config{,.*}.json {angular,nest-cli,babel,workspace,app,jest,nodemon,tslint,biome}.json{,c} .{solargraph,rubocop,golangci,air}.{yml,yaml,toml} .clangd .clang-tidy .ocamlformat rust-analyzer.toml omnisharp.json pyrightconfig.json compile_{commands.json,flags.txt} {.,}pylintrc {.,}mypy.ini .flake8 {.,}hie.yaml analysis_options.yaml',
  ],
  [
    'runs',
    'settings of tools that are programs, or load some',
    '*.conf{,ig}.{c,m,}{j,t}s {gulpfile,gruntfile,jakefile,plopfile}.* .*rc{,.js,.cjs,.mjs,.ts,.cts,.mts,.json,.yml,.yaml,.toml} wallaby.js ember-cli-build.js .ember-cli',
  ],
  [
    'runs',
    'make and its kind',
    '{gnu,}makefile{,.*} *.{mk,mak,cmake,m4,pro,pri} cmakelists.txt cmake*presets.json configure{,.ac,.in} {build,workspace,module}{,.bazel} .bazelrc *.bzl meson.build s{construct,conscript} wscript {premake5,xmake}.lua conanfile.* ninja.build build.ninja',
  ],
  [
    'runs',
    'runners of tasks',
    '{.,}{just,task,rake,gem,proc}file{,.*} {vagrant,brew,fast,pod,tilt,earth,guard,cap,danger,berks,thor}file{,.*} config.ru *.rake dodo.py fabfile.py tasks.py {devbox,devenv,mprocs,process-compose}.{json,yml,yaml}',
  ],
  ['runs', 'environments that a shell enters', '{flake,shell,default,devenv}.nix {.,}mise{,.*}.toml .tool-versions'],
  [
    'runs',
    'containers and clusters',
    '{docker,container}file{,.*} *.{docker,container}file {docker-,}compose*.{yml,yaml} docker-bake.{hcl,json} {skaffold,devspace,okteto,garden}.{yml,yaml} ansible.cfg terragrunt.hcl',
  ],
  [
    'runs',
    'builds on the JVM',
    '*.gradle{,.kts} gradle{w,w.bat,.properties} gradle{.,-}*properties {pom,build}.xml mvnw{,.cmd} *.sbt build.sc project.clj deps.edn shadow-cljs.edn .classpath .factorypath .project',
  ],
  [
    'runs',
    'builds of Rust, Go, Zig, Swift, Nim',
    'cargo.toml build.rs rust-toolchain{,.toml} go.{mod,sum,work,work.sum} magefile.go build.zig{,.zon} package.{swift,resolved} *.nim{ble,s}',
  ],
  [
    'runs',
    'builds, tests and packages of Python',
    'setup.{py,cfg} pyproject.toml conftest.py tox.ini noxfile.py pytest.ini {.,}coveragerc pipfile pyvenv.cfg {hatch,uv,pdm,poetry}.toml {.,}sitecustomize.py usercustomize.py {.,}startup.py manage.py {requirements,constraints}*.{txt,in} *.pth environment.{yml,yaml}',
  ],
  [
    'runs',
    'builds and packages of the dotnet tools',
    '*.{cs,vb,fs,vcx,es,sql,wap,dc}proj *.sln{,x} *.{props,targets,runsettings} global.json dotnet-tools.json packages.config launchsettings.json',
  ],
  [
    'runs',
    'other languages',
    '*.{gemspec,podspec,cabal,opam} .rspec .simplecov mix.exs .formatter.exs rebar.config stack.yaml cabal.project* setup.hs package.yaml dune{,-project,-workspace} .rprofile .renviron .julia* pubspec.yaml build.yaml makefile.pl build.pl cpanfile',
  ],
  ['runs', 'a web server or PHP obeys them', '.htaccess .user.ini php.ini'],
  [
    'runs',
    'a shell reads them when it starts',
    '.{bash,zsh}{rc,env,_profile,_login,_logout,_aliases} .{z,}{profile,login,logout} .{t,}cshrc .{k,mk}shrc .inputrc .tmux.conf .screenrc .x{initrc,profile,session} .config/{fish,autostart,systemd}/ *profile.ps1 .pam_environment crontab *.desktop autoexec.bat',
  ],
];
