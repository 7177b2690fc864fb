// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fails a test method whose leases leave session state on their connections, such as a role, a variable or an advisory
 * lock, in any pool that flexpool wraps. The failure names the statement and the call site. At a class it applies to
 * each test method.
 *
 * <p>Needs the artifact {@code flexpool-session}, and a pool with {@code flexpool.session-state} other than
 * {@code off}; without both the test fails. State allowed by {@code flexpool.session-state.allow} is allowed here too.
 * A statement with unknown effects, such as {@code CALL}, fails no test, but becomes a report entry of it; with
 * {@code flexpool.session-state.server-check = true} flexpool queries PostgreSQL for its effects.
 * A test that runs in parallel with other tests on the same pools also fails for their state.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(SessionStateCheck.class)
public @interface NoSessionState {}
