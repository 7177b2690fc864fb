// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DatabindContext;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.jsontype.TypeResolverBuilder;
import com.fasterxml.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import com.fasterxml.jackson.databind.jsontype.impl.TypeIdResolverBase;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.dropwizard.db.DataSourceFactory;
import io.dropwizard.db.PooledDataSourceFactory;
import io.flexpool.spi.Texts;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code type} in the configuration of a data source: {@code flexpool} or {@code tomcat}, which is Dropwizard's
 * own pool, unwrapped. Only the classes declared below become polymorphic: mixed-in annotations of Dropwizard's factory
 * would also affect its subclasses in applications, which have no {@code type}. A declared data source without
 * {@code type} is read as its declared class.
 */
final class DataSourceTypes extends SimpleModule {
    private static final long serialVersionUID = 1L;
    private static final String OWN = "tomcat";
    private static final List<String> TYPES = List.of(FlexPoolBundle.NAME, OWN);
    private static final Set<Class<?>> DECLARED =
            Set.of(PooledDataSourceFactory.class, DataSourceFactory.class, FlexPoolDataSourceFactory.class);

    DataSourceTypes() {
        super("flexpool");
    }

    @Override
    public void setupModule(SetupContext context) {
        super.setupModule(context);
        context.insertAnnotationIntrospector(new DeclaredTypes());
    }

    private static final class DeclaredTypes extends NopAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        @Override
        public @Nullable TypeResolverBuilder<?> findTypeResolver(
                MapperConfig<?> config, AnnotatedClass type, JavaType declared) {
            Class<?> raw = declared.getRawClass();
            if (!DECLARED.contains(raw)) {
                return null;
            }
            return new StdTypeResolverBuilder()
                    .init(JsonTypeInfo.Id.CUSTOM, new Types(declared))
                    .inclusion(JsonTypeInfo.As.PROPERTY)
                    .typeProperty("type")
                    .defaultImpl(raw == FlexPoolDataSourceFactory.class ? raw : DataSourceFactory.class);
        }
    }

    private static final class Types extends TypeIdResolverBase {
        Types(JavaType declared) {
            super(declared, null);
        }

        @Override
        public String idFromValue(Object factory) {
            return factory instanceof FlexPoolDataSourceFactory ? FlexPoolBundle.NAME : OWN;
        }

        @Override
        public String idFromValueAndType(@Nullable Object factory, Class<?> type) {
            return FlexPoolDataSourceFactory.class.isAssignableFrom(type) ? FlexPoolBundle.NAME : OWN;
        }

        @Override
        public JavaType typeFromId(DatabindContext context, String id) throws IOException {
            JavaType base = _baseType;
            Class<?> wanted = switch (id) {
                case FlexPoolBundle.NAME -> FlexPoolDataSourceFactory.class;
                case OWN -> DataSourceFactory.class;
                default -> null;
            };
            if (wanted != null && base.getRawClass().isAssignableFrom(wanted)) {
                return context.constructSpecializedType(base, wanted);
            }
            throw ((DeserializationContext) context).invalidTypeIdException(base, Texts.line(id, 200), rule(id, base));
        }

        private static String rule(String id, JavaType base) {
            if (base.hasRawClass(FlexPoolDataSourceFactory.class)) {
                return "type must be " + FlexPoolBundle.NAME;
            }
            String nearest = Texts.nearest(id, TYPES);
            return "type must be one of " + String.join(", ", TYPES)
                    + (Texts.alike(id, nearest) ? "; the nearest is " + nearest : "");
        }

        @Override
        public JsonTypeInfo.Id getMechanism() {
            return JsonTypeInfo.Id.CUSTOM;
        }

        @Override
        public String getDescForKnownTypeIds() {
            return String.join(", ", TYPES);
        }
    }
}
