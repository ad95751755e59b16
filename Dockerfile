# Builds svc and runs it as a user without rights: docker compose up --detach

FROM denoland/deno:debian-2.9.6 AS build
WORKDIR /src
COPY . .
# The one file unpacks the program and its runtime, and nothing else.
RUN deno task compile --self-extracting --out /out \
  && XDG_CACHE_HOME=/unpacked /out/svc --version \
  && mv /unpacked/svc/* /svc \
  && rm -rf /svc/cache /svc/used \
  && chmod -R a+rX /svc \
  && mkdir /data

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /svc /svc
COPY --from=build --chown=65532:65532 /data /data
# Only /data and /tmp are written to.
ENV SVC_WORKSPACE_DIR=/data \
  DENO_DIR=/tmp/deno \
  DENO_NO_UPDATE_CHECK=1 \
  MALLOC_MMAP_THRESHOLD_=131072 \
  MALLOC_TRIM_THRESHOLD_=131072 \
  MALLOC_ARENA_MAX=2
WORKDIR /data
USER 65532:65532
VOLUME ["/data"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["/svc/deno", "eval", "--no-config", "const port = Deno.env.get('SVC_PORT') ?? 8787; const { ok } = await fetch(`http://127.0.0.1:${port}/livez`); Deno.exit(ok ? 0 : 1)"]
ENTRYPOINT ["/svc/deno", "run", "-A", "--no-prompt", "--v8-flags=--max-semi-space-size=4", "--unstable-no-legacy-abort", "--unstable-net", "--unstable-worker-options", "--no-config", "--no-lock", "--no-remote", "--no-npm", "--cached-only", "/svc/app/main.js"]
CMD ["proxy"]
