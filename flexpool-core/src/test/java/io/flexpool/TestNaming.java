// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.mockito.Mockito.mock;

import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import org.mockito.Mockito;

/** A naming service that knows a map. Named by jndi.properties among the test resources. */
public final class TestNaming implements InitialContextFactory {
    static final Map<String, Object> bound = new ConcurrentHashMap<>(Map.of("jdbc/text", "not a data source"));

    /** Made by the JDK. */
    public TestNaming() {}

    @Override
    @SuppressWarnings({"JdkObsolete", "BanJNDI"}) // JNDI's own signature; answers from a map
    public Context getInitialContext(Hashtable<?, ?> environment) throws NamingException {
        Context context = mock(Context.class);
        Mockito.when(context.lookup(Mockito.anyString())).thenAnswer(call -> {
            Object found = bound.get(call.<String>getArgument(0));
            if (found == null) {
                throw new NameNotFoundException(call.getArgument(0));
            }
            if (found instanceof Exception failure) {
                // As Tomcat does: the reason is below exceptions without a message.
                NamingException hidden = new NamingException();
                hidden.initCause(new IllegalStateException(failure));
                throw hidden;
            }
            return found;
        });
        return context;
    }
}
