// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Some members in a JVM of their own. Reads its {@link MemberSetup} from its standard input, reports what each member says and
 * each connect that the server refuses, and closes its pools when its input ends: also if the program that has started it is gone.
 */
final class MemberProgram {
    /** What the lines begin with that are meant for the program that has started it. */
    static final String MARK = "fleet-member";

    /** A connect that the server has refused. */
    static final String REFUSED = "refused";

    private static final long SECOND = 1_000;

    private final List<Member> members = new ArrayList<>();

    private MemberProgram() {}

    /** No arguments. */
    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        MemberSetup setup = MemberSetup.of(input.readLine());
        MemberProgram program = new MemberProgram();
        for (int number = setup.first(); number < setup.first() + setup.members(); number++) {
            Member member = new Member(
                    number, setup.steadySeconds(), setup.seed(), MemberPool.of(setup, number, () -> report(REFUSED)));
            program.members.add(member);
            member.start();
        }
        Thread ticker = new Thread(program::tick, "ticker");
        ticker.setDaemon(true);
        ticker.start();
        while (input.readLine() != null) {
            // Nobody says more.
        }
        program.members.forEach(Member::close);
        System.exit(0);
    }

    /** In one piece, so that no log message comes between. */
    private static void report(String text) {
        System.out.print("\n" + MARK + " " + text + "\n");
        System.out.flush();
    }

    private void tick() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SECOND));
            members.forEach(member -> report(member.second().line()));
        }
    }
}
