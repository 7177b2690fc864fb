// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.fleet.FleetRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The JVMs of a run, and what their members have said. Used by one thread; members' reports come on others. */
final class Crowd implements AutoCloseable {
    /** A member that has said nothing for longer is not there. */
    private static final long HEARD_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

    private final PostgresServer server;
    private final Plan plan;
    private final Variant variant;
    private final StoreKind kind;
    private final String uri;
    private final List<MemberJvm> jvms = new ArrayList<>();
    private final Map<Integer, Heard> heard = new ConcurrentHashMap<>();
    private final AtomicInteger refused = new AtomicInteger();
    private int started;

    private record Heard(long nanos, Said said) {}

    Crowd(PostgresServer server, Plan plan, Variant variant, StoreKind kind, String uri) {
        this.server = server;
        this.plan = plan;
        this.variant = variant;
        this.kind = kind;
        this.uri = uri;
    }

    /** One more JVM, with members of new names. */
    void start() throws IOException {
        FleetRules rules = plan.rules();
        MemberSetup setup = new MemberSetup(
                variant,
                kind,
                uri,
                server.port(),
                server.user(),
                server.password(),
                plan.each() * started++,
                plan.each(),
                rules.cap(),
                rules.instancesMax(),
                rules.reserve(),
                plan.steadySeconds(),
                plan.seed());
        jvms.add(new MemberJvm(setup, this::hear));
    }

    private void hear(String line) {
        if (line.equals(MemberProgram.REFUSED)) {
            refused.incrementAndGet();
        } else {
            Said said = Said.of(line);
            heard.put(said.member(), new Heard(System.nanoTime(), said));
        }
    }

    /** Those that run, the oldest first. */
    List<MemberJvm> jvms() {
        return List.copyOf(jvms);
    }

    /** Connects that the server has refused. */
    int refused() {
        return refused.get();
    }

    /** What those say that are there. */
    List<Said> said() {
        long now = System.nanoTime();
        return heard.values().stream()
                .filter(one -> now - one.nanos() <= HEARD_NANOS)
                .map(Heard::said)
                .toList();
    }

    /** Whether all members are there and each has its fair share, or all that it needs. */
    boolean ready() {
        int share = plan.rules().share();
        List<Said> all = said();
        return all.size() == plan.members()
                && all.stream().allMatch(one -> one.allowed() >= Math.min(one.demand(), share));
    }

    /** Throws if a JVM has ended that should not have. */
    void check() throws IOException {
        for (MemberJvm jvm : jvms) {
            if (jvm.ended()) {
                throw new IOException("A JVM has ended by itself: " + jvm.said());
            }
        }
    }

    /** SIGKILL for the oldest; what its members said is forgotten. */
    void kill() throws InterruptedException {
        jvms.remove(0).kill();
    }

    /** Lets one end. */
    void end(MemberJvm jvm) throws IOException, InterruptedException {
        jvms.remove(jvm);
        jvm.close();
    }

    @Override
    public void close() {
        for (MemberJvm jvm : jvms) {
            try {
                jvm.kill();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
